import { afterAll, vi } from 'vitest';

/**
 * Test files share a worker's modules. A module that a page began to load on demand, still loading when its file
 * ends, would fail to load in every later file.
 */
afterAll(() => vi.dynamicImportSettled());
