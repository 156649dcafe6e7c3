/* The sample paintings, made by code. `node samples/paint.mjs [name …]` writes NAME.jpg beside this file, in
 * the size they are painted in (about a minute for all).
 *
 * How it works
 * - The canvas stores pigment density D = -ln(reflectance) per channel, so mixing two paints is a plain
 *   lerp of D (blue over yellow goes green, as on a palette) and a wash simply adds density.
 * - A second buffer stores paint height. A brush is a row of bristles: each has its own load, tone and
 *   height, follows a flow field, skips the valleys of the weave when it runs dry, and drags along some
 *   of the wet paint below it.
 * - An image is a function (u, v) -> colour plus a function (u, v) -> direction, painted from broad to
 *   fine in layers. Washes, ink and torn paper are distance fields bent by noise.
 * - At the end the height is lit from the upper left, so the impasto catches light.
 * Everything is seeded: the same run gives the same image. */
import { writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import sharp from 'sharp'

const LONG = 1680
const here = (f) => fileURLToPath(new URL(f, import.meta.url))
const { PI, sin, cos, abs, min, max, sqrt, exp, floor, hypot, atan2 } = Math
const clamp = (x, a = 0, b = 1) => (x < a ? a : x > b ? b : x)
const lerp = (a, b, t) => a + (b - a) * t
const step = (a, b, x) => {
  const t = clamp((x - a) / (b - a))
  return t * t * (3 - 2 * t)
}

let seed = 1
const rnd = () => {
  seed = (seed + 0x6d2b79f5) | 0
  let t = Math.imul(seed ^ (seed >>> 15), 1 | seed)
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
  return ((t ^ (t >>> 14)) >>> 0) / 4294967296
}
const rr = (a, b) => a + (b - a) * rnd()
const gauss = () => (rnd() + rnd() + rnd() + rnd() - 2) * 1.0
const hash = (x, y) => {
  let h = Math.imul(x, 374761393) + Math.imul(y, 668265263)
  h = Math.imul(h ^ (h >>> 13), 1274126177)
  return ((h ^ (h >>> 16)) >>> 0) / 4294967296
}
const noise = (x, y) => {
  const i = floor(x),
    j = floor(y),
    f = x - i,
    g = y - j,
    a = f * f * (3 - 2 * f),
    b = g * g * (3 - 2 * g)
  return lerp(lerp(hash(i, j), hash(i + 1, j), a), lerp(hash(i, j + 1), hash(i + 1, j + 1), a), b) * 2 - 1
}
const fbm = (x, y, o = 4) => {
  let s = 0,
    a = 0.5
  for (let i = 0; i < o; i++) {
    s += a * noise(x, y)
    x = x * 2.03 + 17.1
    y = y * 2.03 - 9.2
    a *= 0.5
  }
  return s
}

/* colour: '#rrggbb' -> density triple */
const toLin = (c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)
const toS = (c) => (c <= 0.0031308 ? c * 12.92 : 1.055 * c ** (1 / 2.4) - 0.055)
const P = (hex) => [1, 3, 5].map((i) => -Math.log(max(0.008, toLin(parseInt(hex.slice(i, i + 2), 16) / 255))))
const mix = (a, b, t) => [lerp(a[0], b[0], t), lerp(a[1], b[1], t), lerp(a[2], b[2], t)]
const ramp = (stops, t) => {
  t = clamp(t) * (stops.length - 1)
  const i = min(stops.length - 2, floor(t))
  return mix(stops[i], stops[i + 1], t - i)
}
const tone = (c, k) => [c[0] + k, c[1] + k, c[2] + k] /* + darker, - lighter */
const pick = (a) => a[floor(rnd() * a.length)]

function canvas(ratio, ground, weave = 1) {
  const W = ratio >= 1 ? LONG : Math.round(LONG * ratio),
    H = ratio >= 1 ? Math.round(LONG / ratio) : LONG
  const n = W * H,
    cv = {
      W,
      H,
      n,
      D: new Float32Array(n * 3),
      T: new Float32Array(n),
      cloth: new Float32Array(n),
      k: LONG / 1000,
    }
  for (let y = 0, i = 0; y < H; y++)
    for (let x = 0; x < W; x++, i++) {
      const wx = x + fbm(x / 90, y / 90, 2) * 6,
        wy = y + fbm(x / 90 + 40, y / 90, 2) * 6
      cv.cloth[i] =
        weave === 1
          ? 0.5 +
            0.25 *
              (sin(wx * 1.25) * (sin(wy * 0.62) > 0 ? 1 : -1) +
                sin(wy * 1.25) * (sin(wx * 0.62) > 0 ? 1 : -1)) *
              (0.7 + 0.6 * hash(floor(wx / 5), floor(wy / 5)))
          : 0.5 + weave * 0.5 * fbm(x / 3.2, y / 3.2, 3)
      const t = fbm(x / 260, y / 260, 4) * 0.08
      for (let c = 0; c < 3; c++) cv.D[i * 3 + c] = ground[c] + t
    }
  return cv
}

/* one brush stroke */
function stroke(cv, o) {
  const { W, H, D, T, cloth } = cv,
    k = cv.k
  const width = o.width * k,
    len = o.len * k,
    ds = 0.85,
    steps = max(4, floor(len / ds)),
    nb = max(3, floor(width / 0.8))
  const thick = o.thick ?? 0.5,
    alpha = o.alpha ?? 0.9,
    dry = o.dry ?? 0.25,
    pickup = o.pickup ?? 0.012,
    soft = o.soft ?? 0
  const B = new Float32Array(nb * 6),
    z = rnd() * 999
  for (let b = 0; b < nb; b++) {
    const t = nb > 1 ? b / (nb - 1) - 0.5 : 0,
      j = noise(b * 0.35, z) * (o.jit ?? 0.12) + gauss() * (o.jit ?? 0.12) * 0.35
    B[b * 6] = t
    B[b * 6 + 1] = o.color[0] + j
    B[b * 6 + 2] = o.color[1] + j * 0.9
    B[b * 6 + 3] = o.color[2] + j * 0.8
    if (o.color2) {
      const m = clamp(0.5 + noise(b * 0.12, z + 7) * 1.1 + t * 0.6) * (o.blend ?? 0.6)
      for (let c = 0; c < 3; c++) B[b * 6 + 1 + c] = lerp(B[b * 6 + 1 + c], o.color2[c] + j, m)
    }
    B[b * 6 + 4] = 0.55 + 0.45 * noise(b * 0.6, z + 3) + (abs(t) > 0.42 ? 0.5 : 0)
    B[b * 6 + 5] = clamp(0.85 + 0.5 * noise(b * 0.22, z + 11) - (abs(t) > 0.46 ? 0.35 * rnd() : 0), 0.1, 1.2)
  }
  let x = o.x,
    y = o.y,
    th = o.angle ?? o.dir(x / W, y / H)
  if (o.centred) {
    x -= (cos(th) * len) / 2
    y -= (sin(th) * len) / 2
  }
  const flip = o.angle === undefined && !o.keep && rnd() < 0.5 ? PI : 0
  th += flip
  for (let s = 0; s < steps; s++) {
    const u = s / steps
    if (o.dir) {
      let a = o.dir(x / W, y / H) + flip + (o.bend ?? 0) * u
      let d = a - th
      d = atan2(sin(d), cos(d))
      th += d * 0.12
    } else if (o.bend) th += (o.bend * ds) / len
    x += cos(th) * ds
    y += sin(th) * ds
    if (o.stop && s % 5 === 4 && o.stop(x / W, y / H)) break /* the brush lifts where the image changes */
    const press = o.press ? o.press(u) : min(1, u * 9 + 0.25) * min(1, (1 - u) * 4 + 0.1)
    const fade = clamp(1.15 - dry * u * 2.2),
      nx = -sin(th),
      ny = cos(th),
      spread = width * (0.55 + 0.45 * press)
    for (let b = 0; b < nb; b++) {
      const q = b * 6,
        t = B[q],
        px = (x + nx * t * spread + 0.5) | 0,
        py = (y + ny * t * spread + 0.5) | 0
      if (px < 0 || py < 0 || px >= W || py >= H) continue
      const i = py * W + px,
        i3 = i * 3
      let a = alpha * B[q + 5] * fade * press
      const gap = (1 - fade) * 1.3 + dry * 0.5 + (1 - press) * 0.25
      a *= step(gap - 0.35, gap + 0.25, cloth[i] + 0.35 * noise(s * 0.05, b * 0.7 + z) + 0.25)
      if (soft) a *= 1 - soft * 4 * t * t
      if (a < 0.01) continue
      if (a > 1) a = 1
      for (let c = 0; c < 3; c++) {
        const d0 = D[i3 + c]
        B[q + 1 + c] += (d0 - B[q + 1 + c]) * pickup
        D[i3 + c] = d0 + (B[q + 1 + c] - d0) * a
      }
      if (thick) {
        const h = T[i] * 0.45 + thick * (B[q + 4] + (u > 0.93 ? 0.4 : 0))
        T[i] += (h - T[i]) * a * 0.8
      }
    }
  }
}

/* many strokes over an image function */
function layer(cv, scene, o) {
  const { W, H } = cv,
    n = o.n,
    tol = o.tol ?? (o.size[1] > 40 ? 2.6 : o.size[1] > 17 ? 1.7 : 1.15)
  for (let i = 0; i < n; i++) {
    const u = rnd(),
      v = rnd()
    if (o.where && rnd() > o.where(u, v)) continue
    const jx = gauss() * (o.jitter ?? 0.004),
      c0 = scene.color(clamp(u + jx), clamp(v + gauss() * (o.jitter ?? 0.004))),
      c = tone(c0, gauss() * (o.value ?? 0.12))
    const c2 = o.tints
      ? mix(c, pick(o.tints), rr(0.1, o.tint ?? 0.4))
      : scene.color(clamp(u + 0.03 * gauss()), clamp(v + 0.03 * gauss()))
    stroke(cv, {
      ...o,
      x: u * W,
      y: v * H,
      width: rr(...o.size),
      len: rr(...o.length),
      color: c,
      color2: c2,
      dir: scene.dir,
      bend: gauss() * (o.curl ?? 0.2),
      stop: (a, b) => {
        const e = scene.color(a, b)
        return abs(e[0] - c0[0]) + abs(e[1] - c0[1]) + abs(e[2] - c0[2]) > tol
      },
    })
  }
}

/* watercolour: sd(u, v) in units of the short side, negative inside */
function wash(cv, sd, color, o = {}) {
  const { W, H, D, cloth } = cv,
    S = min(W, H),
    z = o.z ?? rnd() * 500,
    load = o.load ?? 0.6,
    edge = o.edge ?? 0.5,
    rough = o.rough ?? 0.05
  for (let y = 0, i = 0; y < H; y++)
    for (let x = 0; x < W; x++, i++) {
      const X = x / S,
        Y = y / S
      let d = sd(x / W, y / H)
      if (d > 0.25) continue
      d += fbm(X * 3 + z, Y * 3, 5) * rough * 2 + fbm(X * 40, Y * 40 + z, 2) * rough * 0.12
      const inside = step(o.wet ?? 0.004, -(o.wet ?? 0.004), d)
      if (inside <= 0) continue
      const body = clamp(
        0.62 + 0.9 * fbm(X * 2.2 - z, Y * 2.2 + z, 4) + (o.grad ? o.grad(x / W, y / H) : 0),
        0.05,
        1.6,
      )
      const rim = edge * exp(-((d / 0.0035) ** 2)) + edge * 0.45 * exp(d / 0.02)
      const g = 1 + (cloth[i] - 0.5) * (o.grain ?? 0.7)
      const a = inside * (body + rim) * load * g
      for (let c = 0; c < 3; c++) D[i * 3 + c] += color[c] * a
    }
}

const box = (x0, y0, x1, y1) => (x, y) => {
  const dx = max(x0 - x, x - x1),
    dy = max(y0 - y, y - y1)
  return dx > 0 && dy > 0 ? hypot(dx, dy) : max(dx, dy)
}

async function finish(cv, name, o = {}) {
  const { W, H, n, D, T, cloth } = cv,
    out = Buffer.alloc(n * 3),
    relief = o.relief ?? 1,
    cl = o.cloth ?? 0.3
  const Z = new Float32Array(n)
  for (let i = 0; i < n; i++) Z[i] = T[i] * relief + cloth[i] * cl * exp(-T[i] * 0.9)
  for (let y = 0, i = 0; y < H; y++)
    for (let x = 0; x < W; x++, i++) {
      const l = x ? i - 1 : i,
        r = x < W - 1 ? i + 1 : i,
        u = y ? i - W : i,
        d = y < H - 1 ? i + W : i
      const gx = (Z[r] - Z[l]) * 0.5,
        gy = (Z[d] - Z[u]) * 0.5,
        q = 1 / sqrt(gx * gx + gy * gy + 1)
      const diff = ((-gx * -0.5 + -gy * -0.62 + 0.6) * q) / 0.6,
        sp = max(0, (-gx * -0.28 + -gy * -0.36 + 0.89) * q)
      const shade = lerp(1, clamp(diff, 0.35, 1.55), o.light ?? 0.55),
        gloss = sp ** 40 * 0.0 + max(0, diff - 1.15) * (o.gloss ?? 0.06)
      for (let c = 0; c < 3; c++) out[i * 3 + c] = clamp(toS(clamp(exp(-D[i * 3 + c]) * shade + gloss))) * 255
    }
  const image = sharp(out, { raw: { width: W, height: H, channels: 3 } }).jpeg({
    quality: 85,
    chromaSubsampling: '4:4:4',
    mozjpeg: true,
  })
  await writeFile(here(`./${name}.jpg`), await image.toBuffer())
  console.log(name, W, H)
}

/* ------------------------------------------------------------------ the artworks */
const artworks = {
  async monsoon() {
    /* oil on canvas, 3:2 */
    seed = 11
    const cv = canvas(1.5, P('#8a7a66'))
    const sky = ['#38465a', '#56657a', '#8c97a0', '#c9c3b6', '#e6d8bf'].map(P),
      far = ['#7f929c', '#62808a', '#47706f', '#2f5a4c', '#1f4231', '#16301f'].map(P)
    const ridge = (i, u) =>
      0.42 +
      i * 0.095 +
      (0.09 - i * 0.004) * fbm(u * (1.6 + i * 0.5) + i * 31.7, i * 5, 4) * 1.6 -
      0.05 * sin(u * 3 + i * 2)
    const which = (u, v) => {
      for (let i = 5; i >= 0; i--) if (v > ridge(i, u)) return i
      return -1
    }
    const scene = {
      color(u, v) {
        const i = which(u, v)
        if (i < 0) {
          const cl = fbm(u * 3 + 2, v * 5, 5)
          let c = ramp(sky, clamp(v / 0.5 + cl * 0.75))
          const rain = step(0.25, 0.6, fbm(u * 6 + v * 2, 3, 2) + 0.45) * step(0.12, 0.4, v)
          return mix(c, P('#55636f'), rain * 0.55 * step(0.9, 0.2, u))
        }
        let c = far[i]
        const d = v - ridge(i, u)
        c = mix(c, P('#dfe0d2'), clamp(0.55 - i * 0.07) * step(0.1, 0.0, abs(d - 0.1)) * 0.6)
        if (i > 1) {
          const f = fbm(u * 9 + i, v * 14, 3)
          c = mix(c, P('#9db04c'), clamp(f * 2.2 - 0.05) * (i === 3 || i === 4 ? 0.85 : 0.4))
          c = mix(c, P('#c98a35'), clamp(fbm(u * 7 - i, v * 20 + 9, 2) * 2.6 - 0.75) * 0.8)
        }
        const river = abs(u - 0.57 - 0.12 * sin(v * 13) - (v - 0.8) * 0.5)
        if (i >= 3) c = mix(c, P('#dcdad0'), step(0.035 * (v - 0.5), 0.0, river - 0.012 * (v - 0.5)))
        return c
      },
      dir(u, v) {
        const i = which(u, v)
        if (i < 0) return -0.35 + fbm(u * 2.5, v * 3, 3) * 2.4
        const s = (ridge(i, u + 0.01) - ridge(i, u - 0.01)) / 0.02
        return atan2(s / 1.5, 1) + fbm(u * 8, v * 8, 2) * 1.1
      },
    }
    layer(cv, scene, {
      n: 900,
      size: [40, 70],
      length: [120, 260],
      thick: 0.4,
      jitter: 0.02,
      value: 0.2,
      dry: 0.15,
    })
    layer(cv, scene, {
      n: 3200,
      size: [16, 34],
      length: [60, 150],
      thick: 0.9,
      jitter: 0.01,
      value: 0.18,
      dry: 0.25,
    })
    layer(cv, scene, {
      n: 6500,
      size: [7, 16],
      length: [25, 80],
      thick: 1.1,
      value: 0.16,
      dry: 0.3,
      where: (u, v) => (v > 0.36 ? 1 : 0.25),
    })
    for (let i = 0; i < 260; i++)
      stroke(cv, {
        x: rr(0.05, 0.75) * cv.W,
        y: rr(0.1, 0.34) * cv.H,
        width: rr(3, 9),
        len: rr(120, 300),
        angle: 1.82 + gauss() * 0.06,
        color: pick([P('#7f8b94'), P('#cfcabf'), P('#4a5868')]),
        alpha: 0.3,
        thick: 0.15,
        dry: 0.6,
      })
    layer(cv, scene, {
      n: 2600,
      size: [3, 7],
      length: [8, 26],
      thick: 1.3,
      value: 0.3,
      dry: 0.1,
      where: (u, v) => (v > 0.5 ? 1 : 0),
      tints: ['#c3cc6a', '#e4c766', '#efe8d2'].map(P),
      tint: 0.6,
    })
    await finish(cv, 'monsoon', { relief: 0.5 })
  },

  async haldi() {
    /* acrylic and palette knife, 1:1 */
    seed = 23
    const cv = canvas(1, P('#7a4a1d'))
    const pal = ['#f3c02f', '#e8a317', '#d98412', '#f7dc7d', '#b9610f', '#f2e4b8'].map(P)
    const scene = {
      color(u, v) {
        const f = fbm(u * 2.2 + 5, v * 1.4, 4) * 1.4 + (0.5 - v) * 0.35
        let c = ramp([pal[4], pal[2], pal[1], pal[0], pal[3], pal[5]], 0.5 + f * 0.8)
        const r = abs(v - 0.71 - 0.05 * fbm(u * 3, 2, 3))
        c = mix(c, P('#8e1f1a'), step(0.05, 0.02, r) * step(0.1, 0.3, u + 0.15 * fbm(u * 9, v * 9, 2)))
        if (v > 0.78) c = mix(c, P('#4b2a17'), step(0.78, 0.9, v + 0.1 * fbm(u * 4, v * 4, 3)) * 0.75)
        const s = hypot(u - 0.66, (v - 0.3) * 1.05)
        return mix(c, P('#fbf1d0'), step(0.15, 0.08, s + 0.05 * fbm(u * 6, v * 6, 3)) * 0.85)
      },
      dir: (u, v) => (v > 0.64 ? 0.05 : PI / 2 + (u - 0.5) * 0.7) + fbm(u * 1.6, v * 1.6, 2) * 1.6,
    }
    layer(cv, scene, {
      n: 420,
      size: [70, 130],
      length: [160, 380],
      thick: 0.8,
      jitter: 0.03,
      value: 0.16,
      dry: 0.1,
      pickup: 0.004,
    })
    layer(cv, scene, {
      n: 620,
      size: [34, 90],
      length: [90, 260],
      thick: 1.8,
      jitter: 0.03,
      value: 0.2,
      dry: 0.3,
      tints: pal,
      tint: 0.7,
      pickup: 0.006,
    })
    layer(cv, scene, {
      n: 360,
      size: [14, 50],
      length: [40, 160],
      thick: 2.6,
      jitter: 0.03,
      value: 0.25,
      dry: 0.45,
      tints: pal,
      tint: 0.7,
      pickup: 0.01,
    })
    for (let i = 0; i < 46; i++)
      stroke(cv, {
        x: rr(0.12, 0.8) * cv.W,
        y: (0.71 + gauss() * 0.03) * cv.H,
        width: rr(10, 46),
        len: rr(90, 300),
        angle: gauss() * 0.1,
        color: pick(['#a3221a', '#7b1614', '#c8452a'].map(P)),
        thick: 2.2,
        dry: 0.4,
        jit: 0.2,
      })
    for (let i = 0; i < 26; i++)
      stroke(cv, {
        x: rr(0.3, 0.95) * cv.W,
        y: rr(0.55, 0.95) * cv.H,
        width: rr(4, 16),
        len: rr(5, 20),
        angle: rnd() * 6,
        color: pick([...pal, P('#fff7df')]),
        thick: 3,
        dry: 0,
      })
    await finish(cv, 'haldi', { relief: 0.55, gloss: 0.1 })
  },

  async mangoes() {
    /* oil on board, 4:3 */
    seed = 37
    const cv = canvas(4 / 3, P('#5a4634'))
    const A = 4 / 3,
      fruit = [
        [0.36, 0.6, 0.135, 0.175, -0.5],
        [0.585, 0.645, 0.13, 0.16, 0.55],
        [0.49, 0.455, 0.12, 0.155, 0.15],
      ]
    const local = (f, u, v) => {
      const x = (u - f[0]) * A,
        y = v - f[1],
        c = cos(f[4]),
        s = sin(f[4])
      return [(x * c + y * s) / (f[2] * 1.5), (-x * s + y * c) / (f[3] * 0.82)]
    }
    const hit = (u, v) => {
      for (const i of [0, 1, 2]) {
        const [a, b] = local(fruit[i], u, v)
        const r = hypot(a + 0.16 * b * b, b * (1 + 0.22 * a) + 0.1 * a * a)
        if (r < 1) return [i, a, b, r]
      }
    }
    const edge = (u) => 0.5 + 0.02 * sin(u * 5)
    const scene = {
      color(u, v) {
        const h = hit(u, v)
        if (h) {
          const [i, a, b, r] = h
          const ang = -a * 0.6 - b * 0.8,
            z = sqrt(max(0, 1 - r * r)),
            l = clamp(0.25 + 0.55 * ang + 0.42 * z)
          let c = ramp(
            ['#5d2f12', '#b0591a', '#e08a1e', '#f2b32c', '#fbdc74'].map(P),
            l + fbm(u * 12, v * 12, 2) * 0.15,
          )
          c = mix(c, P('#c23a24'), clamp(0.7 - hypot(a - (i === 1 ? -0.6 : 0.6), b + 0.35)) * 0.95)
          c = mix(c, P('#7d9434'), clamp(0.62 - hypot(a + 0.7, b - 0.35)) * 0.9)
          return mix(c, P('#fff3cf'), step(0.22, 0.05, hypot(a + 0.28, b + 0.42)) * 0.8)
        }
        let sh = 0
        for (const f of fruit)
          sh = max(
            sh,
            step(
              1.25,
              0.55,
              hypot(((u - f[0] - 0.085) * A) / (f[2] * 1.35), (v - f[1] - 0.135) / (f[3] * 0.62)),
            ),
          )
        if (v > edge(u)) {
          const fold = fbm(u * 4 + v * 3, v * 6 - u * 2, 3)
          let c = ramp(
            ['#8f8a86', '#c8bfb0', '#e9dfca', '#f7f0df'].map(P),
            0.55 + fold * 1.1 - (v - 0.5) * 0.2,
          )
          c = mix(
            c,
            P('#2f6f8f'),
            step(0.014, 0.008, abs(((u * 1.2 + v * 0.5 + fold * 0.04) % 0.19) - 0.095)) * 0.75,
          )
          return mix(c, P('#4c3b4a'), sh * 0.8)
        }
        return mix(
          ramp(
            ['#24352f', '#34544a', '#5f7f68', '#8c9c76'].map(P),
            0.55 + fbm(u * 2.4, v * 3, 4) * 0.9 - (u - 0.4) * 0.5,
          ),
          P('#1c2420'),
          sh * 0.5,
        )
      },
      dir(u, v) {
        const h = hit(u, v)
        if (h) {
          const f = fruit[h[0]]
          return f[4] + PI / 2 - h[1] * h[2] * 1.1 + fbm(u * 9, v * 9, 2) * 0.5
        }
        return v > edge(u) ? 0.15 + fbm(u * 4, v * 4, 2) * 1.4 : 1.1 + fbm(u * 2, v * 2, 3) * 2.4
      },
    }
    layer(cv, scene, {
      n: 800,
      size: [36, 64],
      length: [80, 190],
      thick: 0.5,
      jitter: 0.012,
      value: 0.18,
      dry: 0.15,
    })
    layer(cv, scene, {
      n: 3200,
      size: [14, 30],
      length: [36, 100],
      thick: 0.9,
      jitter: 0.006,
      value: 0.14,
      dry: 0.2,
    })
    layer(cv, scene, {
      n: 5200,
      size: [6, 14],
      length: [16, 54],
      thick: 1.1,
      jitter: 0.003,
      value: 0.13,
      dry: 0.2,
      where: (u, v) => (hit(u, v) ? 1 : 0.4),
    })
    for (const [i, ang] of [
      [0, -1.9],
      [1, -1.0],
      [2, -1.5],
    ]) {
      const f = fruit[i]
      for (let j = 0; j < 4; j++)
        stroke(cv, {
          x: (f[0] + (i === 1 ? 0.06 : i ? 0.005 : -0.055)) * cv.W,
          y: (f[1] - f[3] * 0.86) * cv.H,
          width: 7,
          len: 30,
          angle: ang + gauss() * 0.2,
          color: P('#3a2716'),
          thick: 1.4,
          dry: 0.1,
        })
    }
    await finish(cv, 'mangoes', { relief: 0.5 })
  },

  async kajal() {
    /* ink on paper, 3:4 */
    seed = 415
    const cv = canvas(0.75, P('#efe7d6'), 0.9),
      { W, H } = cv,
      ink = P('#14120f')
    wash(cv, (u, v) => hypot((u - 0.52) * 0.75, v - 0.42) - 0.2, [0.6, 0.58, 0.52], {
      load: 0.35,
      edge: 0.35,
      rough: 0.09,
      wet: 0.02,
    })
    wash(cv, (u, v) => hypot((u - 0.42) * 0.9, (v - 0.66) * 1.6) - 0.2, [0.75, 0.7, 0.62], {
      load: 0.3,
      edge: 0.5,
      rough: 0.1,
      wet: 0.01,
    })
    const gest = (x, y, len, width, angle, bend, dry, press) =>
      stroke(cv, {
        x: x * W,
        y: y * H,
        len,
        width,
        angle,
        bend,
        dry,
        color: ink,
        jit: 0.5,
        thick: 0.06,
        pickup: 0,
        alpha: 0.97,
        press,
      })
    gest(0.2, 0.27, 900, 118, -0.45, 2.5, 0.34, (u) => min(1, u * 14 + 0.3) * (0.72 + 0.4 * sin(u * 4.4)))
    gest(0.3, 0.8, 640, 84, -1.25, 1.3, 0.5, (u) => min(1, u * 20 + 0.2) * (1 - u * 0.45))
    gest(0.14, 0.585, 560, 30, 0.1, -0.5, 0.42, (u) => min(1, u * 12) * (1 - u * 0.7))
    gest(0.62, 0.735, 190, 60, 0.5, 0.9, 0.25, (u) => min(1, u * 12 + 0.3) * (1 - u * 0.3))
    for (let i = 0; i < 7; i++)
      gest(
        0.17 + i * 0.012,
        0.885 + gauss() * 0.006,
        rr(180, 420),
        rr(1.5, 3.5),
        gauss() * 0.03,
        gauss() * 0.1,
        0.5,
      )
    for (let i = 0; i < 130; i++) {
      const a = rr(-0.9, 1.2),
        r = rr(0.08, 0.5) ** 1.2,
        s = exp(rr(-1.6, 1.5))
      gest(0.45 + cos(a) * r, 0.3 + sin(a) * r * 0.9, s * 2, s * 1.6, a, 0, 0, () => 1)
    }
    wash(cv, box(0.795, 0.855, 0.858, 0.905), [0.15, 1.9, 2.1], {
      load: 0.95,
      edge: 0.15,
      rough: 0.004,
      grain: 0.9,
    })
    for (let i = 0; i < 9; i++)
      stroke(cv, {
        x: (0.803 + (i % 3) * 0.019) * W,
        y: (0.864 + floor(i / 3) * 0.013) * H,
        width: 4,
        len: rr(8, 15),
        angle: ((i % 2) * PI) / 2,
        color: P('#efe7d6'),
        thick: 0,
        dry: 0.1,
        press: () => 1,
      })
    await finish(cv, 'kajal', { cloth: 0.42, relief: 0.4, light: 0.35, gloss: 0 })
  },

  async yamuna() {
    /* watercolour on handmade paper, 2:1 */
    seed = 52
    const cv = canvas(2, P('#f3ecdd'), 1.2),
      { W, H } = cv
    const sub = (h, k = 1) => P(h).map((d) => d * k)
    wash(cv, (u, v) => max(v - 0.52, 0.02 - v), sub('#9fb4c0'), {
      load: 0.75,
      edge: 0.1,
      rough: 0.02,
      wet: 0.05,
      grad: (u, v) => 0.35 - v,
    })
    wash(cv, (u, v) => hypot((u - 0.74) * 2, v - 0.3) - 0.2, sub('#f0b58a'), {
      load: 0.9,
      edge: 0,
      rough: 0.08,
      wet: 0.12,
    })
    wash(cv, (u, v) => abs(v - 0.44) - 0.07, sub('#f2c9a0'), { load: 0.8, edge: 0, rough: 0.05, wet: 0.08 })
    wash(cv, (u, v) => hypot((u - 0.74) * 2, v - 0.34) - 0.036, sub('#e8703f'), {
      load: 1,
      edge: 0.5,
      rough: 0.003,
    })
    for (let k = 0; k < 4; k++)
      wash(
        cv,
        (u, v) =>
          max(
            0.465 + k * 0.012 - 0.05 * abs(fbm(u * (5 + k * 3) + k * 9, k, 4)) * (1.6 - k * 0.2) - v,
            v - 0.53,
          ),
        sub(['#93a3b0', '#71889a', '#546d7c', '#3f5862'][k]),
        { load: 0.42, edge: 0.5, rough: 0.006, wet: 0.006 },
      )
    wash(cv, (u, v) => max(0.515 - v, v - 0.93), sub('#b4c2c0'), {
      load: 0.75,
      edge: 0.12,
      rough: 0.006,
      wet: 0.01,
      grad: (u, v) => 0.5 - v * 0.6,
    })
    wash(cv, (u, v) => hypot((u - 0.74) * 1.3, (v - 0.6) * 1.5) - 0.13, sub('#eeb996'), {
      load: 0.6,
      edge: 0,
      rough: 0.05,
      wet: 0.1,
    })
    for (let k = 0; k < 6; k++)
      wash(
        cv,
        (u, v) =>
          abs(v - (0.58 + k * 0.075) - 0.02 * fbm(u * 3, k * 7, 3)) -
          0.008 -
          0.022 * abs(fbm(u * 2.4 + k * 4, k, 3)),
        sub(['#9db0b4', '#87a3a8', '#7c96a0', '#6d8a94', '#8ba29b', '#5f7c86'][k]),
        { load: 0.5, edge: 0.55, rough: 0.012 },
      )
    wash(
      cv,
      (u, v) => abs(u - 0.74 - 0.03 * fbm(v * 22, 2, 3)) * 2 - 0.03 - max(0, 0.54 - v) * 9,
      sub('#eda477'),
      { load: 0.55, edge: 0.3, rough: 0.02, wet: 0.01 },
    )
    wash(
      cv,
      (u, v) => max(0.87 - 0.12 * step(0.45, 0.0, u) + 0.02 * fbm(u * 5, 1, 4) - v, v - 1.1),
      sub('#c9a878'),
      { load: 0.8, edge: 0.6, rough: 0.02, wet: 0.006 },
    )
    wash(
      cv,
      (u, v) => max(0.955 - 0.16 * step(0.32, 0.0, u) + 0.03 * fbm(u * 9, 4, 4) - v, v - 1.1),
      sub('#6f5b45'),
      { load: 0.7, edge: 0.5, rough: 0.03, wet: 0.008 },
    )
    const boat = (x, y, s) => {
      wash(
        cv,
        (u, v) => {
          const X = ((u - x) * 2) / s,
            Y = (v - y) / s
          return max(abs(X) - 1 + Y * 1.6, -Y + 0.42 * X * X * X * X - 0.12, Y - 0.17) * s
        },
        sub('#2c2723'),
        { load: 0.85, edge: 0.25, rough: 0.002 },
      )
      wash(cv, (u, v) => max(abs((u - x) * 2) - s * 0.75, abs(v - y - s * 0.36) - s * 0.13), sub('#5a625f'), {
        load: 0.5,
        edge: 0.4,
        rough: 0.012,
      })
      stroke(cv, {
        x: (x - s * 0.1) * W,
        y: (y + s * 0.1) * H,
        len: s * 420,
        width: 2.4,
        angle: -1.35,
        color: P('#2c2723'),
        thick: 0,
        dry: 0.2,
      })
    }
    boat(0.36, 0.665, 0.085)
    boat(0.47, 0.575, 0.045)
    boat(0.53, 0.56, 0.028)
    for (let i = 0; i < 14; i++) {
      const x = rr(0.15, 0.5),
        y = rr(0.12, 0.32)
      for (const a of [-0.5, -2.6])
        stroke(cv, {
          x: x * W,
          y: y * H,
          len: rr(7, 12),
          width: 1.8,
          angle: a + gauss() * 0.15,
          bend: a < -1 ? -0.8 : 0.8,
          color: P('#3b444c'),
          thick: 0,
          dry: 0.1,
        })
    }
    for (let i = 0; i < 300; i++)
      stroke(cv, {
        x: rr(0, 0.34) * W,
        y: rr(0.84, 0.99) * H,
        len: rr(16, 60),
        width: rr(1.2, 2.6),
        angle: -1.57 + gauss() * 0.25,
        bend: gauss() * 0.5,
        color: pick(['#4a4a2c', '#6b5f33', '#3a3a2a'].map(P)),
        thick: 0,
        dry: 0.4,
        alpha: 0.6,
      })
    await finish(cv, 'yamuna', { cloth: 0.5, relief: 0, light: 0.4, gloss: 0 })
  },

  async letters() {
    /* collage on board, 3:4 */
    seed = 64
    const cv = canvas(0.75, P('#d8cbb3'), 0.8),
      { W, H, D, T } = cv
    const A = 0.75
    const paper = (pts, color, o = {}) => {
      const z = rnd() * 999,
        n = pts.length,
        S = H
      const sd = (x, y) => {
        let d = 1e9,
          s = 1
        for (let i = 0, j = n - 1; i < n; j = i++) {
          const ex = pts[j][0] * A - pts[i][0] * A,
            ey = pts[j][1] - pts[i][1],
            wx = x - pts[i][0] * A,
            wy = y - pts[i][1],
            t = clamp((wx * ex + wy * ey) / (ex * ex + ey * ey)),
            bx = wx - ex * t,
            by = wy - ey * t
          d = min(d, bx * bx + by * by)
          const c1 = y >= pts[i][1],
            c2 = y < pts[j][1],
            c3 = ex * wy > ey * wx
          if ((c1 && c2 && c3) || (!c1 && !c2 && !c3)) s = -s
        }
        return s * sqrt(d)
      }
      for (let y = 0, i = 0; y < H; y++)
        for (let x = 0; x < W; x++, i++) {
          const X = x / S,
            Y = y / S,
            w = fbm(X * 14 + z, Y * 14, 4) * (o.torn ?? 0.008),
            d = sd(X, Y) + w
          const shadow = d > 0 ? exp(-d / 0.006) * 0.5 : 0
          if (d > 0) {
            const ds = sd(X - 0.004, Y - 0.005) + w
            if (ds < 0.01)
              for (let c = 0; c < 3; c++) D[i * 3 + c] += clamp(1 - ds / 0.01) * 0.16 + shadow * 0.12
            continue
          }
          const white = o.rim === 0 ? 0 : step(-0.007 - 0.009 * (fbm(X * 20, Y * 20 + z, 3) + 0.4), -0.001, d)
          const f = o.fill ? o.fill(X, Y, d) : 0,
            g = fbm(X * 5 + z, Y * 5, 5) * 0.28 + fbm(X * 120, Y * 120, 2) * 0.1
          let c = typeof color === 'function' ? color(X, Y) : color
          if (f) c = mix(c, o.inkc ?? P('#2c2722'), f)
          c = mix(tone(c, g), P('#f5efe2'), white)
          for (let q = 0; q < 3; q++) D[i * 3 + q] = lerp(D[i * 3 + q], c[q], o.alpha ?? 1)
          T[i] = 0.9 + g + (o.lift ?? 0) + step(-0.012, 0, d) * 0.5
        }
    }
    const script = (sz) => (X, Y) => {
      const line = floor(Y / sz),
        yy = Y / sz - line - 0.5,
        wob = noise(X * 90 + line * 31, line) * 0.26 + noise(X * 260, line * 3.1) * 0.14,
        gap = noise(X * 34 + line * 13, line * 7.7) > 0.42 ? 0 : 1
      return gap * step(0.1, 0.03, abs(yy - wob)) * 0.6
    }
    paper(
      [
        [-0.1, -0.1],
        [1.1, -0.1],
        [1.1, 0.62],
        [0.5, 0.66],
        [-0.1, 0.6],
      ],
      (X, Y) => mix(P('#c9b594'), P('#8f9f98'), clamp(0.5 + fbm(X * 3, Y * 3, 4) * 1.5)),
      { rim: 0 },
    )
    paper(
      [
        [0.1, 0.12],
        [0.62, 0.08],
        [0.66, 0.5],
        [0.13, 0.55],
      ],
      P('#e9dcc0'),
      { fill: script(0.0165), inkc: P('#4a3b52') },
    )
    paper(
      [
        [0.47, 0.2],
        [0.92, 0.23],
        [0.89, 0.71],
        [0.5, 0.66],
      ],
      (X, Y) => mix(P('#b3402c'), P('#7d2a22'), clamp(0.5 + fbm(X * 6, Y * 9, 4) * 2)),
      { torn: 0.012 },
    )
    paper(
      [
        [0.05, 0.5],
        [0.42, 0.47],
        [0.4, 0.93],
        [0.07, 0.95],
      ],
      (X, Y) => mix(P('#1f4e63'), P('#2f7180'), clamp(0.5 + fbm(X * 4, Y * 12, 4) * 2)),
      { torn: 0.01, fill: (X, Y) => ((X * 60) % 2 < 0.16 ? 0.5 : 0), inkc: P('#d8d2b8') },
    )
    paper(
      [
        [0.3, 0.42],
        [0.73, 0.46],
        [0.7, 0.79],
        [0.27, 0.74],
      ],
      P('#efe6d2'),
      { fill: script(0.0125), inkc: P('#24303f') },
    )
    paper(
      [
        [0.58, 0.63],
        [0.96, 0.6],
        [0.98, 0.9],
        [0.62, 0.94],
      ],
      P('#d9a02f'),
      { torn: 0.014 },
    )
    paper(
      [
        [0.62, 0.16],
        [0.785, 0.15],
        [0.79, 0.28],
        [0.625, 0.285],
      ],
      P('#7f8f4e'),
      { torn: 0.002, fill: (X, Y) => step(0.0022, 0.0012, abs(hypot(X - 0.53, Y - 0.215) - 0.035)) * 0.7 },
    )
    paper(
      [
        [0.16, 0.7],
        [0.48, 0.72],
        [0.47, 0.76],
        [0.15, 0.745],
      ],
      P('#c8432c'),
      { torn: 0.004 },
    )
    paper(
      [
        [0.4, 0.86],
        [0.8, 0.84],
        [0.81, 0.885],
        [0.41, 0.91],
      ],
      P('#ece2cc'),
      { fill: script(0.014), torn: 0.005 },
    )
    for (let r = 0; r < 3; r++)
      for (let a = 0; a < 1; a += 0.002) {
        if (noise(a * 60, r) < -0.35) continue
        const t = a * 2 * PI,
          R = 0.06 + r * 0.008
        stroke(cv, {
          x: (0.66 * A + cos(t) * R) * H,
          y: (0.33 + sin(t) * R) * H,
          width: 2.2,
          len: 4,
          angle: t + PI / 2,
          color: P('#1d1a1c'),
          alpha: 0.5,
          thick: 0,
          dry: 0.2,
        })
      }
    for (const [x, y, w, l, a, c] of [
      [0.02, 0.34, 90, 420, -0.12, '#f3ece0'],
      [0.6, 0.8, 70, 360, 0.08, '#efe3c4'],
      [0.3, 0.97, 60, 520, -0.03, '#2a5a69'],
      [0.7, 0.1, 50, 260, 1.2, '#c9b594'],
    ])
      stroke(cv, {
        x: x * W,
        y: y * H,
        width: w,
        len: l,
        angle: a,
        color: P(c),
        alpha: 0.75,
        thick: 0.8,
        dry: 0.5,
      })
    for (const [x, y, l, a] of [
      [0.2, 0.3, 520, 0.25],
      [0.75, 0.1, 620, 1.7],
    ])
      stroke(cv, {
        x: x * W,
        y: y * H,
        width: 3,
        len: l,
        angle: a,
        bend: 0.7,
        color: P('#8a1f1c'),
        thick: 1.6,
        dry: 0,
        press: () => 1,
        jit: 0.2,
      })
    await finish(cv, 'letters', { relief: 0.75, cloth: 0.25, gloss: 0.02 })
  },

  async indigo() {
    /* natural indigo on khadi, 5:7 */
    seed = 79
    const cv = canvas(5 / 7, P('#cfc3ac'))
    const field = (x0, y0, x1, y1, r) => (u, v) => {
      const d = max(max(x0 - u, u - x1) * 0.72, max(y0 - v, v - y1)) + fbm(u * 7, v * 7, 4) * 0.022
      return step(r, -r, d)
    }
    const top = field(0.085, 0.065, 0.915, 0.6, 0.016),
      low = field(0.085, 0.645, 0.915, 0.935, 0.014)
    const scene = {
      color(u, v) {
        let c = mix(P('#b9ab90'), P('#d9cfb8'), clamp(0.5 + fbm(u * 2, v * 3, 3) * 1.3))
        c = mix(
          c,
          ramp(
            ['#0f1c38', '#1b2f5c', '#27457c', '#3f6a9c'].map(P),
            0.38 + fbm(u * 1.6 + 3, v * 2.2, 4) * 1.1 + (v - 0.33) * 0.35,
          ),
          top(u, v),
        )
        return mix(
          c,
          ramp(['#7a2e1d', '#a4482a', '#c06a3c', '#d59a6b'].map(P), 0.45 + fbm(u * 2 + 9, v * 3, 4) * 1.0),
          low(u, v),
        )
      },
      dir: (u, v) => fbm(u * 2.5, v * 2.5, 3) * 1.5 + (hash(floor(u * 30), floor(v * 40)) > 0.6 ? PI / 2 : 0),
    }
    layer(cv, scene, {
      n: 900,
      size: [50, 90],
      length: [80, 240],
      thick: 0.15,
      jitter: 0.008,
      value: 0.2,
      alpha: 0.5,
      dry: 0.3,
      soft: 0.6,
    })
    layer(cv, scene, {
      n: 2600,
      size: [24, 60],
      length: [50, 170],
      thick: 0.18,
      jitter: 0.006,
      value: 0.22,
      alpha: 0.42,
      dry: 0.5,
      soft: 0.5,
    })
    layer(cv, scene, {
      n: 2600,
      size: [10, 26],
      length: [30, 130],
      thick: 0.25,
      jitter: 0.006,
      value: 0.28,
      alpha: 0.35,
      dry: 0.65,
    })
    for (let i = 0; i < 54; i++)
      stroke(cv, {
        x: (0.11 + i * 0.0146) * cv.W,
        y: (0.6225 + gauss() * 0.0012) * cv.H,
        width: 2.6,
        len: 8,
        angle: 0.05 + gauss() * 0.1,
        color: P('#e9dfc8'),
        thick: 1.6,
        dry: 0,
        press: () => 1,
      })
    await finish(cv, 'indigo', { relief: 0.6, cloth: 0.55, light: 0.6, gloss: 0.03 })
  },

  async gulmohar() {
    /* oil on canvas, 3:4 */
    seed = 81
    const cv = canvas(0.75, P('#8d8a72'))
    const crown = (u, v) => {
      const d = min(
        hypot((u - 0.5) * 0.95, (v - 0.32) * 1.45) - 0.31,
        hypot((u - 0.22) * 1.0, (v - 0.42) * 1.6) - 0.2,
        hypot((u - 0.8) * 1.0, (v - 0.4) * 1.7) - 0.19,
      )
      return d + fbm(u * 6, v * 6, 4) * 0.12
    }
    const trunk = (u, v) =>
      v > 0.4
        ? min(
            abs(u - 0.49 - 0.04 * sin(v * 8)) - 0.022 - (v - 0.55) * 0.04,
            abs(u - 0.49 - (0.62 - v) * 0.75) - 0.011 + (v > 0.62 ? 1 : 0),
            abs(u - 0.49 + (0.62 - v) * 0.85) - 0.01 + (v > 0.62 ? 1 : 0),
          )
        : 1
    const scene = {
      color(u, v) {
        const cr = crown(u, v),
          f = fbm(u * 9, v * 9, 4)
        if (trunk(u, v) < 0 && v < 0.8 && !(cr < -0.06 && f > -0.1))
          return ramp(['#2a1d1a', '#5a3d30', '#8c6a52'].map(P), 0.45 - (u - 0.48) * 9 + f * 0.6)
        if (cr < 0) {
          const l = 0.52 + f * 1.1 - (v - 0.33) * 1.3 - (u - 0.45) * 0.4
          const c = ramp(['#5c0f14', '#9c1a17', '#cf2c1a', '#e8501f', '#f58a3a'].map(P), l)
          return mix(c, P('#3d6b34'), step(0.16, 0.3, fbm(u * 7 + 9, v * 7, 3) + (v - 0.34) * 0.5))
        }
        if (v > 0.775) {
          const c = ramp(
            ['#5a4a3c', '#9a7c5a', '#c9a878', '#e6d0a2'].map(P),
            0.6 + f * 0.8 - (v - 0.78) * 1.2,
          )
          const sh = step(0.34, 0.1, hypot((u - 0.55) * 0.9, (v - 0.85) * 3))
          return mix(
            mix(c, P('#4a3a4a'), sh * 0.75),
            P('#c9341f'),
            step(0.02, 0.3, fbm(u * 18, v * 34, 3) - abs(u - 0.5) * 0.3 + 0.08),
          )
        }
        if (v > 0.66)
          return mix(
            ramp(['#3f5a3c', '#6c8a52', '#a3b574'].map(P), 0.5 + f * 1.4),
            P('#d8d2b0'),
            step(0.7, 0.66, v) * 0.4,
          )
        return ramp(
          ['#8fb3bd', '#b9d0cd', '#e2e2cf', '#f3e3c0'].map(P),
          v * 1.4 + fbm(u * 2.5, v * 3, 4) * 0.8,
        )
      },
      dir: (u, v) =>
        trunk(u, v) < 0.01 && v > 0.45 && v < 0.8 ? PI / 2 : v > 0.775 ? 0.05 : fbm(u * 3, v * 3, 3) * 4,
    }
    layer(cv, scene, { n: 700, size: [40, 70], length: [60, 160], thick: 0.4, jitter: 0.015, value: 0.2 })
    layer(cv, scene, { n: 3000, size: [14, 30], length: [26, 76], thick: 0.9, jitter: 0.01, value: 0.2 })
    layer(cv, scene, {
      n: 6000,
      size: [7, 15],
      length: [10, 40],
      thick: 1.2,
      jitter: 0.006,
      value: 0.22,
      dry: 0.15,
    })
    layer(cv, scene, {
      n: 4200,
      size: [6, 13],
      length: [6, 18],
      thick: 2.1,
      value: 0.3,
      dry: 0.05,
      where: (u, v) => (crown(u, v) < 0.02 ? 1 : v > 0.78 ? 0.35 : 0),
      tints: ['#f7702e', '#d61f1c', '#fbb04e', '#b3121a'].map(P),
      tint: 0.6,
    })
    for (let i = 0; i < 160; i++)
      stroke(cv, {
        x: rr(0.1, 0.92) * cv.W,
        y: rr(0.5, 0.96) * cv.H,
        width: rr(5, 9),
        len: rr(5, 12),
        angle: rnd() * 3,
        color: pick(['#e2431f', '#c41f1a', '#f58a3a'].map(P)),
        thick: 2,
        dry: 0,
      })
    await finish(cv, 'gulmohar', { relief: 0.5 })
  },

  async nightbus() {
    /* acrylic on canvas, 16:10 */
    seed = 97
    const cv = canvas(1.6, P('#15161c')),
      { W, H } = cv
    const lamps = Array.from({ length: 34 }, (_, i) => {
      const x = rnd(),
        d = rnd()
      return [
        x,
        0.5 - 0.16 * (1 - d) * (0.4 + abs(x - 0.45)) + gauss() * 0.02,
        lerp(0.01, 0.036, d),
        pick(['#ffcf73', '#ffb347', '#ff7a3d', '#f24b3a', '#fff0c4', '#6fd0c8'].map(P)),
      ]
    })
    const glow = (u, v) => {
      let b,
        t = 0
      for (const [x, y, r, c] of lamps) {
        const d = hypot((u - x) * 1.6, v - y),
          g = exp(-((d / (r * 2.2)) ** 2))
        if (g > t) {
          t = g
          b = c
        }
      }
      return [t, b]
    }
    const scene = {
      color(u, v) {
        const bus = max(abs(u - 0.63) - 0.15, abs(v - 0.475) - 0.105)
        if (bus < 0) {
          if (abs(v - 0.43) < 0.032 && abs(((u - 0.49) % 0.05) - 0.025) < 0.019)
            return mix(P('#ffd98a'), P('#e08a2c'), clamp(fbm(u * 30, v * 30, 2) + 0.4))
          return v > 0.5 ? P('#8e2a22') : P('#c2512c')
        }
        const [t, b] = glow(u, v)
        let c =
          v < 0.55
            ? ramp(
                ['#131726', '#1c2740', '#31406a', '#5a5470', '#8a5a58'].map(P),
                v * 1.6 + fbm(u * 2.4, v * 4, 4) * 0.45,
              )
            : ramp(['#262938', '#191b27', '#0d0e15'].map(P), (v - 0.55) * 2.1 + fbm(u * 5, v * 2, 3) * 0.5)
        const sky = 0.4 - 0.09 * noise(floor(u * 26), 3)
        if (v > sky && v < 0.55) c = mix(c, P('#10121c'), 0.8)
        if (v > 0.57) {
          let r = 0,
            rc
          for (const [x, , s, k] of lamps) {
            const w =
              exp(-((((u - x - 0.012 * fbm(v * 24, x * 40, 2)) * 1.6) / (s * 1.5)) ** 2)) *
              exp(-(v - 0.57) * 1.7) *
              1.25
            if (w > r) {
              r = w
              rc = k
            }
          }
          const bw =
            exp(-(((u - 0.63 - 0.02 * fbm(v * 20, 5, 2)) / 0.13) ** 4)) * exp(-(v - 0.57) * 2.4) * 0.95
          if (bw > r) {
            r = bw
            rc = fbm(u * 16, v * 3, 2) > 0 ? P('#f0a04a') : P('#b33a26')
          }
          if (rc) c = mix(c, rc, clamp(r) * clamp(0.85 + fbm(u * 5, v * 34, 3) * 1.5))
        }
        return b ? mix(c, b, t) : c
      },
      dir: (u, v) =>
        v > 0.57
          ? 0.02 + fbm(u * 4, v * 4, 2) * 0.5
          : max(abs(u - 0.63) - 0.16, abs(v - 0.475) - 0.11) < 0
            ? 0.02
            : fbm(u * 2, v * 2, 3) * 2.2,
    }
    layer(cv, scene, { n: 900, size: [36, 70], length: [80, 200], thick: 0.4, jitter: 0.012, value: 0.2 })
    layer(cv, scene, { n: 3400, size: [12, 28], length: [36, 110], thick: 0.8, jitter: 0.006, value: 0.2 })
    layer(cv, scene, {
      n: 5600,
      size: [5, 12],
      length: [14, 60],
      thick: 1,
      jitter: 0.003,
      value: 0.18,
      where: (u, v) => (v > 0.3 ? 1 : 0.3),
    })
    for (const [x, y, r, c] of lamps)
      for (let j = 0; j < 3; j++)
        stroke(cv, {
          x: (x + gauss() * 0.003) * W,
          y: y * H,
          width: r * 420,
          len: r * 420,
          angle: rnd() * 6,
          color: tone(c, -0.15 * j),
          thick: 2.4,
          dry: 0,
          centred: true,
          alpha: 0.8,
        })
    for (const x of [0.795, 0.765])
      for (let j = 0; j < 5; j++)
        stroke(cv, {
          x: x * W,
          y: 0.55 * H,
          width: 16 - j * 2,
          len: 12,
          angle: rnd() * 3,
          color: P('#fff6d8'),
          thick: 2.6,
          dry: 0,
          centred: true,
        })
    for (const x of [0.54, 0.72])
      for (let j = 0; j < 8; j++)
        stroke(cv, {
          x: x * W,
          y: 0.583 * H,
          width: 30,
          len: 30,
          angle: j * 0.8,
          color: P('#0b0b10'),
          thick: 0.6,
          dry: 0,
          centred: true,
        })
    layer(cv, scene, {
      n: 900,
      size: [3, 6],
      length: [8, 40],
      thick: 1.6,
      value: 0.5,
      where: (u, v) => (v > 0.57 ? 1 : 0),
      tints: ['#ffd98a', '#ff9a4a', '#7fb8c8'].map(P),
      tint: 0.55,
      alpha: 0.7,
    })
    await finish(cv, 'nightbus', { relief: 0.45 })
  },

  async saltpans() {
    /* gouache and chalk on paper, 4:5 */
    seed = 108
    const cv = canvas(0.8, P('#e9dfcc'), 1),
      { W, H } = cv
    const pal = [
      '#e7b3a8',
      '#d98a86',
      '#f0d9c8',
      '#f4ede0',
      '#b9cdc8',
      '#88b3b5',
      '#c9b48c',
      '#b86f63',
      '#e3c9a3',
      '#a8b8c0',
    ].map(P)
    const warp = (u, v) => [
      u * 0.8 + 0.03 * fbm(u * 2, v * 2, 3) + v * 0.16,
      v - u * 0.1 + 0.03 * fbm(u * 2 + 9, v * 2, 3),
    ]
    const cell = (u, v) => {
      const [x, y] = warp(u, v),
        r = floor(y * 8.5 + 20),
        q = x * (4 + floor(hash(r, 5) * 4)) + hash(r, 1) * 3,
        k = floor(q),
        fy = y * 8.5 + 20 - r,
        fx = q - k
      return [hash(r, k + 40), min(fx * 0.16, (1 - fx) * 0.16, fy * 0.11, (1 - fy) * 0.11), hash(k, r + 9)]
    }
    const scene = {
      color(u, v) {
        const [h, d, g] = cell(u, v),
          canal = abs(u - 0.28 - v * 0.34 - 0.04 * sin(v * 5)) - 0.016
        if (canal < 0) return mix(P('#4f8a92'), P('#2f6470'), clamp(0.5 + fbm(u * 12, v * 12, 2) * 2))
        if (d < 0.0055 || canal < 0.008)
          return mix(P('#a58c66'), P('#7b6648'), clamp(0.5 + fbm(u * 20, v * 20, 2) * 2))
        let c = pal[floor(h * pal.length)]
        c = mix(c, pal[floor(g * pal.length)], clamp(0.25 + fbm(u * 6 + h * 50, v * 6, 4) * 1.5))
        return mix(c, P('#fbf8f0'), step(0.02, 0.006, d) * 0.7 * clamp(0.6 + fbm(u * 30, v * 30, 2) * 2))
      },
      dir: (u, v) => {
        const h = cell(u, v)[2]
        return (h > 0.5 ? 0.1 : 1.45) + fbm(u * 3, v * 3, 2) * 0.5
      },
    }
    layer(cv, scene, {
      n: 1200,
      size: [24, 44],
      length: [50, 130],
      thick: 0.2,
      jitter: 0.006,
      value: 0.08,
      dry: 0.3,
    })
    layer(cv, scene, {
      n: 6500,
      size: [9, 18],
      length: [18, 60],
      thick: 0.35,
      jitter: 0.002,
      value: 0.09,
      dry: 0.45,
      curl: 0.05,
    })
    layer(cv, scene, {
      n: 9000,
      size: [3, 7],
      length: [10, 34],
      thick: 0.45,
      jitter: 0.001,
      value: 0.1,
      dry: 0.3,
      curl: 0.02,
    })
    for (let i = 0; i < 800; i++) {
      const u = rnd(),
        v = rnd()
      if (cell(u, v)[0] > 0.4) continue
      stroke(cv, {
        x: u * W,
        y: v * H,
        width: rr(2, 4),
        len: rr(2, 7),
        angle: rnd() * 6,
        color: P('#fffdf6'),
        thick: 1,
        dry: 0,
      })
    }
    await finish(cv, 'saltpans', { relief: 0.5, cloth: 0.4, gloss: 0.01 })
  },

  async lotus() {
    /* oil on linen, 4:3 */
    seed = 121
    const cv = canvas(1.34, P('#3a4a3c')),
      { W, H } = cv
    const pads = Array.from({ length: 46 }, () => {
      const y = rr(0.16, 1.02)
      return [rr(-0.05, 1.05), y, lerp(0.018, 0.105, y) * rr(0.7, 1.25), rnd()]
    })
      .filter(([x, y]) => abs(x - 0.45 - 0.2 * sin(y * 4)) > 0.09)
      .sort((a, b) => a[1] - b[1])
    const on = (u, v) => {
      for (let i = pads.length - 1; i >= 0; i--) {
        const [x, y, r, h] = pads[i],
          dx = ((u - x) * 1.34) / r,
          dy = (v - y) / (r * 0.42),
          d = hypot(dx, dy)
        if (d < 1 && !(abs(atan2(dy, dx) - (h * 4 - 2)) < 0.2 && d > 0.15)) return [i, dx, dy, d, h]
      }
    }
    const scene = {
      color(u, v) {
        const p = on(u, v)
        if (p) {
          const [, dx, dy, d, h] = p
          let c = ramp(
            ['#2a5a3a', '#4c8450', '#86aa62', '#c3d08a'].map(P),
            0.52 + h * 0.3 - 0.1 - dy * 0.25 - dx * 0.12 + fbm(u * 14, v * 20, 3) * 0.5,
          )
          if (d > 0.86) c = mix(c, P(dy > 0 ? '#1d3329' : '#d7d9a0'), 0.5)
          return mix(c, P('#a85a4a'), step(0.8, 0.95, h) * 0.5)
        }
        const f = fbm(u * 2.2, v * 7, 4)
        let c = ramp(
          ['#16302f', '#23504f', '#3f7478', '#7fa6a6', '#c5d2c4'].map(P),
          0.42 + f * 1.0 - abs(u - 0.45) * 0.25 + (0.5 - v) * 0.35,
        )
        return mix(
          c,
          P('#e6b8a4'),
          step(0.1, 0.35, fbm(u * 3 + 8, v * 11, 3)) * step(0.3, 0.05, abs(u - 0.42)) * 0.75,
        )
      },
      dir: (u, v) => {
        const p = on(u, v)
        return p
          ? atan2(p[2] * 0.42, p[1]) + PI / 2
          : fbm(u * 3, v * 5, 2) * 0.8 + (hash(floor(u * 9), floor(v * 5)) > 0.78 ? PI / 2 : 0)
      },
    }
    layer(cv, scene, { n: 800, size: [36, 64], length: [80, 200], thick: 0.4, jitter: 0.015, value: 0.22 })
    layer(cv, scene, { n: 3400, size: [12, 26], length: [36, 110], thick: 0.9, jitter: 0.006, value: 0.2 })
    layer(cv, scene, {
      n: 5600,
      size: [5, 12],
      length: [14, 50],
      thick: 1.1,
      jitter: 0.003,
      value: 0.2,
      dry: 0.2,
    })
    for (const [x, y, s] of [
      [0.25, 0.56, 1.0],
      [0.7, 0.42, 0.72],
      [0.57, 0.78, 1.25],
      [0.86, 0.66, 0.85],
      [0.38, 0.28, 0.45],
      [0.12, 0.82, 1.1],
    ])
      for (let k = 0; k < 34; k++) {
        const row = k % 3,
          t = (rnd() - 0.5) * (row === 0 ? 2.7 : row === 1 ? 2.0 : 1.1)
        stroke(cv, {
          x: (x + sin(t) * 0.006 * s) * W,
          y: y * H,
          len: (52 - row * 8) * s * rr(0.8, 1.1),
          width: (15 - row * 2) * s,
          angle: -PI / 2 + t,
          bend: -t * 0.35,
          color: pick(
            (row === 0 ? ['#c96a86', '#a8486b', '#d98aa0'] : ['#f3c6cf', '#fbe6e4', '#e89ab0']).map(P),
          ),
          thick: 1.5,
          dry: 0.1,
          press: (u) => sin(min(1, u * 1.15 + 0.08) * PI) ** 0.7,
        })
        if (k === 33)
          for (let j = 0; j < 7; j++)
            stroke(cv, {
              x: (x + gauss() * 0.005 * s) * W,
              y: (y - 0.012 * s) * H,
              width: 6 * s,
              len: 8 * s,
              angle: rnd() * 6,
              color: P('#f2c14a'),
              thick: 2,
              dry: 0,
            })
      }
    layer(cv, scene, {
      n: 900,
      size: [3, 6],
      length: [10, 46],
      thick: 1.4,
      value: 0.4,
      tints: ['#e8ecd4', '#b9d0c4', '#f3cdb8'].map(P),
      tint: 0.55,
      alpha: 0.7,
      where: (u, v) => (on(u, v) ? 0.3 : 1),
    })
    await finish(cv, 'lotus', { relief: 0.5 })
  },

  async marigolds() {
    /* oil on canvas, 4:5 */
    seed = 133
    const cv = canvas(0.8, P('#6a6a72')),
      { W, H } = cv
    const prof = (v) => {
      const t = (v - 0.42) / 0.42
      if (t < 0 || t > 1) return 0
      return t < 0.1
        ? 0.135 - t * 0.3
        : t < 0.24
          ? 0.105 + (t - 0.1) * 0.1
          : 0.12 + 0.135 * sin(clamp((t - 0.24) / 0.72) * PI) ** 0.8 - max(0, t - 0.9) * 0.3
    }
    const pot = (u, v) => {
      const r = prof(v)
      return r && abs(u - 0.5) < r / 0.8 ? (u - 0.5) / (r / 0.8) : null
    }
    const fl = [
      [0.5, 0.27, 0.078],
      [0.37, 0.31, 0.07],
      [0.63, 0.3, 0.072],
      [0.44, 0.2, 0.06],
      [0.57, 0.185, 0.058],
      [0.29, 0.235, 0.055],
      [0.71, 0.225, 0.056],
      [0.31, 0.4, 0.056],
      [0.69, 0.395, 0.06],
      [0.5, 0.37, 0.075],
      [0.24, 0.87, 0.06],
      [0.8, 0.9, 0.055],
    ]
    const scene = {
      color(u, v) {
        const p = pot(u, v)
        if (p !== null) {
          const l = 0.5 - p * 0.42 + 0.3 * sin(p * 7 + 0.6) * (1 - abs(p)) + fbm(u * 8, v * 14, 3) * 0.3
          let c = ramp(['#3a2413', '#7d5320', '#b98530', '#dcb152', '#f7e3a0'].map(P), l)
          if (abs(v - 0.525) < 0.006 || abs(v - 0.462) < 0.005) c = mix(c, P('#3a2413'), 0.7)
          if (v > 0.72) c = mix(c, P('#a2482c'), 0.4 * step(0.72, 0.82, v))
          return mix(c, P('#2f5f8a'), step(0.14, 0.04, abs(p - 0.62)) * 0.55)
        }
        const sh = step(0.3, 0.08, hypot((u - 0.66) * 0.8, (v - 0.845) * 2.6))
        if (v > 0.735 + 0.01 * sin(u * 7))
          return mix(
            ramp(['#5a2f36', '#8c4644', '#b8685a', '#d79a80'].map(P), 0.55 + fbm(u * 4, v * 9, 4) * 1.0),
            P('#33202c'),
            sh * 0.8,
          )
        return mix(
          ramp(
            ['#1f4a63', '#2f6c86', '#5a95a3', '#9cbfbc'].map(P),
            0.5 + fbm(u * 2.4, v * 2.4, 4) * 0.9 - (u - 0.5) * 0.6,
          ),
          P('#1c2f44'),
          step(0.4, 0.1, hypot((u - 0.68) * 0.9, v - 0.5)) * 0.35,
        )
      },
      dir: (u, v) => {
        const p = pot(u, v)
        return p !== null
          ? PI / 2 + p * 0.9 * (v < 0.64 ? 1 : -1) + (hash(floor(v * 40), 1) > 0.5 ? PI / 2 - p : 0)
          : v > 0.735
            ? 0.05 + fbm(u * 3, v * 3, 2)
            : 0.7 + fbm(u * 2.4, v * 2.4, 3) * 2.6
      },
    }
    layer(cv, scene, { n: 800, size: [36, 66], length: [70, 180], thick: 0.5, jitter: 0.01, value: 0.18 })
    layer(cv, scene, { n: 3200, size: [13, 28], length: [32, 90], thick: 0.9, jitter: 0.005, value: 0.16 })
    layer(cv, scene, {
      n: 4600,
      size: [5, 12],
      length: [14, 46],
      thick: 1.1,
      jitter: 0.003,
      value: 0.16,
      where: (u, v) => (pot(u, v) !== null ? 1 : 0.4),
    })
    for (let i = 0; i < 90; i++) {
      const a = rr(-2.6, -0.5)
      stroke(cv, {
        x: (0.5 + cos(a) * rr(0.1, 0.26)) * W,
        y: (0.36 + sin(a) * rr(0.02, 0.2)) * H,
        width: rr(9, 20),
        len: rr(40, 90),
        angle: a + gauss() * 0.5,
        color: pick(['#2c4a2a', '#4a6b34', '#6f8a44', '#1f3a28'].map(P)),
        thick: 1.1,
        dry: 0.15,
        press: (u) => sin(min(1, u + 0.06) * PI) ** 0.7,
      })
    }
    for (const f of fl) f[2] *= 1.22
    for (const [x, y, r] of fl)
      for (let k = 0; k < 9; k++)
        stroke(cv, {
          x: x * W,
          y: (y + (k - 4) * r * 0.13) * H,
          width: 22,
          len: r * 900,
          angle: gauss() * 0.3,
          color: P('#8c330c'),
          thick: 0.8,
          dry: 0,
          centred: true,
        })
    for (const [x, y, r] of fl)
      for (const [ring, n, cols] of [
        [1, 54, ['#9c3a0e', '#c2530f']],
        [0.78, 46, ['#d9690f', '#e8820f', '#c85a0c']],
        [0.52, 34, ['#f0981a', '#f7ad2c']],
        [0.26, 18, ['#fbc04a', '#f7a323', '#ffd877']],
      ])
        for (let k = 0; k < n; k++) {
          const a = rnd() * 2 * PI,
            q = ring * sqrt(rr(0.3, 1))
          stroke(cv, {
            x: x * W + cos(a) * r * q * H * 0.74,
            y: y * H + sin(a) * r * q * H * 0.66,
            width: rr(8, 13),
            len: rr(9, 19),
            angle: a + gauss() * 0.4,
            color: tone(P(pick(cols)), (sin(a) + cos(a) * 0.6) * 0.16),
            thick: 1.9,
            dry: 0.02,
            centred: true,
            jit: 0.2,
          })
        }
    for (let i = 0; i < 26; i++)
      stroke(cv, {
        x: rr(0.14, 0.9) * W,
        y: rr(0.86, 0.96) * H,
        width: 10,
        len: 12,
        angle: rnd() * 3,
        color: pick(['#e8820f', '#c85a0c', '#fbc04a'].map(P)),
        thick: 1.8,
        dry: 0,
      })
    await finish(cv, 'marigolds', { relief: 0.5 })
  },

  async portrait() {
    /* a neutral painted silhouette, 4:5 */
    seed = 149
    const cv = canvas(0.8, P('#a3988a'))
    const fig = (u, v) => {
      const head = hypot(((u - 0.5) * 0.8) / 0.118, (v - 0.36) / 0.158) - 1,
        bun = hypot(((u - 0.615) * 0.8) / 0.062, (v - 0.285) / 0.07) - 1,
        neck = max(abs(u - 0.505) - 0.072, v - 0.66, 0.42 - v),
        sh = max(hypot(((u - 0.5) * 0.8) / 0.36, (v - 0.93) / 0.36) - 1, 0.5 - v)
      return [head * 0.14, bun * 0.07, neck, sh * 0.34]
    }
    const scene = {
      color(u, v) {
        const [h, b, n, s] = fig(u, v),
          w = fbm(u * 5, v * 5, 3) * 0.012,
          l = 0.5 - (u - 0.47) * 2.3 + fbm(u * 4, v * 4, 3) * 0.5
        const hair = h + w < 0 && (v < 0.315 + (u - 0.36) * 0.12 || u > 0.575 - (v - 0.36) * 0.1)
        if (b + w < 0 || hair) return ramp(['#171514', '#2b2624', '#4d443f'].map(P), l)
        if (h + w < 0) return ramp(['#4c3529', '#7a5640', '#a57a5c', '#c9a180'].map(P), l - 0.1 + (0.4 - v))
        if (s + w < 0) {
          const fold = fbm(u * 3 + v * 4, v * 2 - u * 5, 3)
          const c = ramp(['#26323a', '#3d5059', '#64797d', '#98a5a1'].map(P), l * 0.8 + fold * 0.9)
          return abs(u - 0.33 - (v - 0.6) * 0.5 + fold * 0.02) < 0.016 ? P('#b8663c') : c
        }
        if (n + w < 0) return ramp(['#3f2b22', '#6b4a38', '#96705a'].map(P), l - 0.15)
        return ramp(
          ['#7d7468', '#a3998a', '#c6bcaa', '#e0d8c6'].map(P),
          0.62 - (u - 0.4) * 0.5 + fbm(u * 2, v * 2, 4) * 0.9 - v * 0.15,
        )
      },
      dir: (u, v) => {
        const [h, b, , s] = fig(u, v)
        return h < 0.01 || b < 0
          ? PI / 2 - (u - 0.5) * (v - 0.34) * 46 + fbm(u * 7, v * 7, 2) * 0.8
          : s < 0
            ? (u - 0.5) * 1.8 + fbm(u * 3, v * 3, 2)
            : 0.9 + fbm(u * 2, v * 2, 3) * 2.6
      },
    }
    layer(cv, scene, { n: 800, size: [40, 70], length: [80, 190], thick: 0.5, jitter: 0.008, value: 0.14 })
    layer(cv, scene, { n: 2800, size: [16, 32], length: [36, 110], thick: 0.9, jitter: 0.004, value: 0.13 })
    layer(cv, scene, {
      n: 2600,
      size: [8, 16],
      length: [20, 64],
      thick: 1.1,
      jitter: 0.002,
      value: 0.13,
      where: (u, v) => (min(...fig(u, v)) < 0.03 ? 1 : 0.25),
    })
    await finish(cv, 'portrait', { relief: 0.5 })
  },
}

const wanted = process.argv.slice(2)
for (const [name, make] of Object.entries(artworks)) if (!wanted.length || wanted.includes(name)) await make()
