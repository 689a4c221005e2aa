// Starts worker.ts where the server runs from source: tsx's --import hook does not reach worker threads.
import { register } from 'tsx/esm/api';

register();
await import('./worker.ts');
