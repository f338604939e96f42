export { Coordinator } from './coordinator.js';
export { KnownCounts } from './known-counts.js';
export { SegmentCounts } from './segment-counts.js';
