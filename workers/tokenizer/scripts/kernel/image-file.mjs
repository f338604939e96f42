// An image as a file without its empty pages: page size and page count (u32), a byte for each page that tells
// whether it is there, padded to a page; then the pages. src/kernel/table-file.ts reads it.
const PAGE_BYTES = 4096;

export function packImage(image) {
  const pageCount = image.length / PAGE_BYTES;
  const head = Buffer.alloc(Math.ceil((8 + pageCount) / PAGE_BYTES) * PAGE_BYTES);
  head.writeUInt32LE(PAGE_BYTES, 0);
  head.writeUInt32LE(pageCount, 4);
  const pages = [head];
  for (let page = 0; page < pageCount; page++) {
    const bytes = image.subarray(page * PAGE_BYTES, (page + 1) * PAGE_BYTES);
    if (bytes.every((byte) => byte === 0)) continue;
    head[8 + page] = 1;
    pages.push(bytes);
  }
  return Buffer.concat(pages);
}
