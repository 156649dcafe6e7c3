/**
 * React runs here, not where it is first imported: its packages are CommonJS, which bundlers run on demand, and would
 * then run in one long task with our own code.
 */
import 'react'
import 'react-dom'
import 'react-dom/client'
import 'react/jsx-runtime'
