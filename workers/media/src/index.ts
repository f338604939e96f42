export { type FileForm, type InspectOptions, inspect } from './inspect.js';
export { MEDIA_TYPES, type MediaType, READERS_VERSION } from './media-types.js';
