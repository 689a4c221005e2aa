import { DRAIN_TEXTS } from './drainTexts';
import { HOST_TEXTS } from './hostTexts';
import { OPERATION_TEXTS } from './operationTexts';
import { readerOf } from './text';

/** Every sentence the server sends by ID. IDs are unique among them. */
export const TEXTS = { ...OPERATION_TEXTS, ...DRAIN_TEXTS, ...HOST_TEXTS } as const;

export const showText = readerOf(TEXTS);
