/** Of an image, in pixels. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Scaled down so that no side is longer, rounded to whole pixels; never scaled up. */
export function fitted({ width, height }: Size, maxSidePx: number): Size {
  const scale = Math.min(1, maxSidePx / Math.max(width, height));
  if (scale === 1) return { width, height };
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

/** How many squares cover it. */
export function squares({ width, height }: Size, sidePx: number): number {
  return Math.ceil(width / sidePx) * Math.ceil(height / sidePx);
}
