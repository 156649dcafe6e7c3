/** Words of the message to the artist. */

export const name = 'Name'
export const email = 'Email'
export const subject = 'Subject'
export const message = 'Message'
export const pleaseSelect = 'Please select'
export const send = 'Send Message'
export const sending = 'Sending...'
export const about = 'About'
export const forgetArtworkTitle = 'Do not ask about this work'
export const leaveEmpty = 'Please leave this field empty'
export const whatsapp = 'WhatsApp'
export const studio = 'Studio'
