import { failureToast, successToast } from '../admin-constants.ts'

export const BLOG_WORDS = {
  title: 'Blog Management',
  autoSync: 'Auto-sync from an external blog',
  created: 'created',
  updated: 'updated',
  removed: 'removed',
  unchanged: 'unchanged',
  useBlogs: "Use the blog's text",
  undoUseBlogs: 'Keep mine',
  saved: successToast('Blog post updated successfully.'),
  saveFailed: failureToast('Failed to update blog post.'),
} as const
