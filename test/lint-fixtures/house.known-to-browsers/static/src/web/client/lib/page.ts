export const isAddress = (text: string): boolean => URL.canParse(text)
