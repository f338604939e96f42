export { Coordinator } from './coordinator.js';
