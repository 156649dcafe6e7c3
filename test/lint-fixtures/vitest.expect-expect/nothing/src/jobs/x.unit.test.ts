import { it } from 'vitest'

it('says nothing', () => {
  JSON.parse('1')
})
