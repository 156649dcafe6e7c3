/**
 * The digits of a telephone number as WhatsApp's links take them; null when it is none. Ten digits are an Indian
 * mobile number written without its country code.
 */
export function whatsappNumber(whatsapp: string): string | null {
  const written = whatsapp.replace(/[^\d+]/g, '')
  const digits = written.replace(/^[+0]+/, '')
  if (/^0?[6-9]\d{9}$/.test(written)) return `91${digits}`
  return /^\d{8,15}$/.test(digits) ? digits : null
}
