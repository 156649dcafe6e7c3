declare const require: (name: string) => unknown

export const router = require('koa')
