/** A line as a terminal may show it: what others sent must not steer it. Signs of control, the end of a line among them, are replaced. */
export const printable = (line: string): string => line.replace(/[\p{Cc}\p{Bidi_Control}]/gu, '�')
