import { site } from '#composition/site.ts'

console.log(site)
