/** The longest e-mail address, by RFC 5321. A file of its own, as the visitor's program takes no other limit of a field. */
export const longestEmail = 254
