import { useState } from 'react'
import { artwork } from '#web/contract/artworks.ts'

export const parts = [useState, artwork]
