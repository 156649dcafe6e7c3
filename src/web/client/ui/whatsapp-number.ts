/**
 * The digits of a telephone number as WhatsApp's links take them; null when it is none. Ten digits are an Indian
 * mobile number written without its country code.
 */
export function whatsappNumber(whatsapp: string): string | null {
  const digits = whatsapp.replace(/\D/g, '').replace(/^0+/, '')
  if (/^[6-9]\d{9}$/.test(digits) && !/\+|^00/.test(whatsapp)) return `91${digits}`
  return digits.length >= 8 && digits.length <= 15 ? digits : null
}
