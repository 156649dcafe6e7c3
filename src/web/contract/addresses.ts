/**
 * Method and path of every call by its name, and nothing else, so that the browser gets no schema with them. Each is a
 * constant of its own: a script holds those that it calls. Parameters are written as OpenAPI does.
 */
export const getUser = 'GET /api/auth/user'
export const login = 'POST /api/login'
export const loginRedirect = 'GET /api/login'
export const logout = 'POST /api/logout'
export const changePassword = 'PUT /api/account/password'
export const changeFirstSteps = 'PUT /api/account/first-steps'
export const listSessions = 'GET /api/account/sessions'
export const endOtherSessions = 'DELETE /api/account/sessions'
export const endSession = 'DELETE /api/account/sessions/{id}'

export const getSiteContent = 'GET /api/site-content'
export const changeSiteContent = 'PUT /api/site-content'

export const listArtworks = 'GET /api/artworks'
export const getArtwork = 'GET /api/artworks/{id}'
export const addArtwork = 'POST /api/artworks'
export const batchArtworks = 'POST /api/artworks/batch'
export const changeArtwork = 'PUT /api/artworks/{id}'
export const deleteArtwork = 'DELETE /api/artworks/{id}'
export const restoreArtwork = 'POST /api/artworks/{id}/restore'
export const moveArtwork = 'PUT /api/artworks/{id}/position'
export const exportArtworks = 'GET /api/artworks.csv'

export const listCategories = 'GET /api/categories'
export const addCategory = 'POST /api/categories'
export const changeCategory = 'PUT /api/categories/{id}'
export const moveCategory = 'PUT /api/categories/{id}/position'
export const deleteCategory = 'DELETE /api/categories/{id}'
export const listMediums = 'GET /api/mediums'
export const addMedium = 'POST /api/mediums'
export const changeMedium = 'PUT /api/mediums/{id}'
export const moveMedium = 'PUT /api/mediums/{id}/position'
export const deleteMedium = 'DELETE /api/mediums/{id}'

export const listBlogPosts = 'GET /api/blog-posts'
export const changeBlogPost = 'PUT /api/blog-posts/{id}'
export const getBlogSync = 'GET /api/blog-posts/sync'
export const syncBlogPosts = 'POST /api/blog-posts/sync'

export const sendEnquiry = 'POST /api/contact'
export const sendEnquiryForm = 'POST /contact'
export const listContactMessages = 'GET /api/contact-messages'
export const markMessageRead = 'PUT /api/contact-messages/{id}/read'
export const deleteMessage = 'DELETE /api/contact-messages/{id}'

export const uploadImage = 'POST /api/upload/image'

export const listActivity = 'GET /api/activity'
export const undoActivity = 'POST /api/activity/{id}/undo'

export const listenForChanges = 'GET /api/changes'

export const getStatus = 'GET /api/status'
export const listJobs = 'GET /api/jobs'
export const countSamples = 'GET /api/samples'
export const retryJob = 'POST /api/jobs/{id}/retry'
export const removeSamples = 'DELETE /api/samples'
export const getOpenApi = 'GET /api/openapi.json'
