import { describe, expect, it } from 'vitest';
import document from '../../../generated/openapi.json';
import { showText, TEXTS } from './allTexts';
import { DRAIN_TEXTS, drainText } from './drainTexts';
import { HOST_TEXTS } from './hostTexts';
import { OPERATION_TEXTS, operationText } from './operationTexts';
import { join } from './text';

const { TextId } = document.components.schemas;

describe('texts', () => {
  it('have a sentence for each ID in the API, and no duplicate IDs', () => {
    expect(Object.keys(TEXTS).toSorted()).toEqual(TextId.enum.toSorted());
    const all = [OPERATION_TEXTS, DRAIN_TEXTS, HOST_TEXTS].flatMap((texts) => Object.keys(texts));
    expect(new Set(all).size).toBe(all.length);
  });

  it('read the same on a page and in the English text', () => {
    const text = join(
      drainText('operation_failed', { operation: 'move' }),
      operationText('host_refused', { text: 'no more memory' }),
      operationText('old_host_runs'),
    );
    expect(text.text).toBe(
      'Its move failed. The host rejected the request: no more memory. The CVM is running on its old host again.',
    );
    expect(showText(text.keys, text.text)).toBe(text.text);
  });

  it('are truncated between characters, since JSON with half of one can’t be stored', () => {
    const { keys } = operationText('boot_error', { text: `${'x'.repeat(1999)}🚫` });
    expect(keys[0]?.params.text).toBe('x'.repeat(1999));
    expect(join(operationText('host_error', { text: `${'x'.repeat(1999)}🚫` })).text).toBe('x'.repeat(1999));
  });

  it("show the page's own sentence, and the server's for an unknown ID or none", () => {
    const { keys } = drainText('cvm_moving', { host: 'rack1' });
    expect(showText(keys, 'an older wording')).toBe('Moving to rack1.');
    const newer = [...keys, { id: 'of_a_newer_server' as 'no_vm', params: {} }];
    expect(showText(newer, 'Moving. Done soon.')).toBe('Moving. Done soon.');
    expect(showText([], 'Of an earlier version.')).toBe('Of an earlier version.');
    expect(showText([], null)).toBeNull();
  });
});
