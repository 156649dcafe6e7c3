import { RouterProvider } from '@tanstack/react-router'
import { hydrateRoot } from 'react-dom/client'
import { makeRouter } from './router.tsx'
const router = makeRouter()
router.ssr = { manifest: undefined }
await router.load()
hydrateRoot(document.getElementById('app')!, <RouterProvider router={router} />)
