export {
  type FileForm,
  fileBlocks,
  fileBytes,
  type Inspected,
  type InspectOptions,
  inspect,
  type TextDocument,
} from './inspect.js';
export { MEDIA_TYPES, type MediaType, READERS_VERSION } from './media-types.js';
export { type PdfText, readPdfText } from './pdf/pdf-text.js';
