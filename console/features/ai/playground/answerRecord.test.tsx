import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import type { AiRequest } from '../../../../generated/api/types.gen';
import { AnswerFacts } from './AnswerFacts';
import { recordOf, requestKey, type AnswerIds } from './answerRecord';

const row = (change: Partial<AiRequest>): AiRequest => ({
  id: 'chatcmpl-1',
  created_at: '2026-11-28T10:00:00.000Z',
  key_id: 'aik_1',
  key_name: 'Playground',
  model: 'acme/large',
  gateway: null,
  endpoint: 'chat.completions',
  status: 200,
  outcome: 'completed',
  is_streamed: true,
  input_tokens: 12,
  cached_tokens: 0,
  output_tokens: 8,
  reasoning_tokens: 0,
  is_estimated: false,
  first_token_ms: 5,
  duration_ms: 50,
  cost: '0.000280000001',
  receipt_id: 'rcpt_1',
  ...change,
});

it('tells requests apart although their model server repeats an ID', () => {
  const later = { created_at: '2026-11-28T10:01:00.000Z' };
  expect(requestKey(row({ receipt_id: 'rcpt_2' }))).not.toBe(requestKey(row({})));
  // Another gateway's requests have no receipt here.
  const [first, second] = [row({ receipt_id: null }), row({ receipt_id: null, ...later })];
  expect(requestKey(first)).not.toBe(requestKey(second));
});

describe('the record of an answer', () => {
  /** Returns each of these lists once, then keeps returning the last. */
  function found(ids: Partial<AnswerIds>, ...lists: AiRequest[][]) {
    let asked = 0;
    const list = async () => lists[Math.min(asked++, lists.length - 1)] ?? [];
    return recordOf(list, { receipt_id: null, id: null, ...ids, tries: 3, wait: async () => undefined });
  }
  const second = row({ receipt_id: 'rcpt_2', created_at: '2026-11-28T10:01:00.000Z' });

  it('belongs to that answer even if model servers repeat IDs', async () => {
    const id = 'chatcmpl-1';
    expect(await found({ receipt_id: 'rcpt_1', id }, [second, row({})])).toEqual(row({}));
    expect(await found({ receipt_id: 'rcpt_2', id }, [second, row({})])).toBe(second);
    expect(await found({ receipt_id: 'rcpt_3', id }, [second, row({})])).toBeNull();
  });

  it('is found by its receipt before the answer has an ID', async () => {
    expect(await found({ receipt_id: 'rcpt_2' }, [second, row({})])).toBe(second);
  });

  it('is null rather than another answer’s', async () => {
    expect(await found({}, [second])).toBeNull();
    expect(await found({ id: 'chatcmpl-1' }, [second])).toBeNull();
    expect(await found({ receipt_id: 'rcpt_9' }, [row({ receipt_id: null })])).toBeNull();
  });

  it('matches the answer’s ID at another gateway', async () => {
    const other = row({ id: 'req_1', gateway: 'tee-1', receipt_id: null });
    const ids = { receipt_id: 'theirs', id: 'req_1' };
    expect(await found(ids, [second, other])).toBe(other);
    expect(await found(ids, [other, other])).toBeNull();
    expect(await found({ receipt_id: 'theirs' }, [other])).toBeNull();
  });

  it('is awaited after an answer was stopped, but not forever', async () => {
    const ids = { receipt_id: 'rcpt_2' };
    expect(await found(ids, [row({})], [row({})], [second, row({})])).toBe(second);
    expect(await found(ids, [row({})])).toBeNull();
  });
});

describe('the facts shown for an answer', () => {
  const shown = (turn: object) =>
    renderToStaticMarkup(<AnswerFacts turn={{ id: 1, role: 'assistant', content: '', ...turn }} />).replace(
      /<style.*?<\/style>|<[^>]+>/gs,
      '',
    );

  it('include its tokens and exact cost', () => {
    const usage = { input_tokens: 12, output_tokens: 8 };
    expect(shown({ usage, record: row({}) })).toBe('12 input tokens, 8 output tokens, $0.000280000001');
    expect(shown({ usage })).toBe('12 input tokens, 8 output tokens');
  });

  it('include them for a stopped answer, too', () => {
    const record = row({ outcome: 'aborted', is_estimated: true, output_tokens: 1, cost: '0.00' });
    expect(shown({ is_stopped: true, record })).toBe(
      'Stopped.12 input tokens, 1 output token (estimated), $0.00',
    );
    expect(shown({ is_stopped: true })).toBe('Stopped.');
  });
});
