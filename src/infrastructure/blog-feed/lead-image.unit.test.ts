import { expect, it } from 'vitest'
import { firstImage, inLargeSize, leadImage } from './feed.ts'

it.each([
  ['http://4.bp.blogspot.com/-x/T/A/s72-c/pot.jpg', 'http://4.bp.blogspot.com/-x/T/A/s1600/pot.jpg'],
  ['https://4.bp.blogspot.com/-x/T/A/w320-h240-p/s.jpg', 'https://4.bp.blogspot.com/-x/T/A/s1600/s.jpg'],
  ['https://1.bp.blogspot.com/-x/s320/a/s72-c/pot.jpg', 'https://1.bp.blogspot.com/-x/s320/a/s1600/pot.jpg'],
  [
    'https://blogger.googleusercontent.com/img/a/AVvXs=s72-c',
    'https://blogger.googleusercontent.com/img/a/AVvXs=s1600',
  ],
  ['https://lh3.googleusercontent.com/x=w640-h480-rw', 'https://lh3.googleusercontent.com/x=s1600'],
  [
    'https://blogger.googleusercontent.com/img/b/R2/AV/s320/a%20b.jpg',
    'https://blogger.googleusercontent.com/img/b/R2/AV/s1600/a%20b.jpg',
  ],
  ['https://example.org/s72-c/pot.jpg', 'https://example.org/s72-c/pot.jpg'],
  ['https://bp.blogspot.com.example.org/s72-c/pot.jpg', 'https://bp.blogspot.com.example.org/s72-c/pot.jpg'],
])('%s is taken as %s', (small, large) => {
  expect(inLargeSize(small)).toBe(large)
})

it('takes the first real picture of the content when the feed names none', () => {
  const html =
    '<p><img src="https://c.org/1.gif" width="1" height="1"><IMG SRC="/a.jpg"><img src="/b.jpg"></p>'
  expect(firstImage(html, 'https://blog.org/2024/post.html')).toBe('https://blog.org/a.jpg')
  expect(leadImage(null, html, 'https://blog.org/p')).toBe('https://blog.org/a.jpg')
  expect(leadImage('https://blog.org/t.jpg', html, null)).toBe('https://blog.org/t.jpg')
  expect(leadImage(null, '<img src="data:image/png;base64,x"><img src="javascript:1">', null)).toBeNull()
})
