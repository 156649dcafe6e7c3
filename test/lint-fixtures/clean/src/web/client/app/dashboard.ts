export const dashboard = () => import('../admin/dashboard.ts')
