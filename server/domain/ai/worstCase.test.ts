import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ChatRequest, ModelRequest } from './modelRequest';
import { chargePicos, costPicos, microsOfPicos } from './usage';
import { affordableTokens, tokenBounds, withinBounds, worstCaseMicros } from './worstCase';

const CONTEXT = 8_000_000;
const count = fc.integer({ min: 0, max: CONTEXT });
const price = fc.integer({ min: 0, max: 999_999_999 });
const prices = fc.record({ input: price, cached_input: price, output: price });
const bounds = fc
  .record({ context: fc.integer({ min: 1, max: CONTEXT }), input: count, output: count })
  .map(({ context, input, output }) => ({
    context,
    input: Math.min(input, context),
    output: Math.min(output, context),
  }));
/** Usage from a model server that may report anything. */
const reported = fc
  .record({
    input_tokens: fc.maxSafeNat(),
    cached: fc.maxSafeNat(),
    output_tokens: fc.maxSafeNat(),
  })
  .map(({ cached, ...usage }) => ({
    ...usage,
    cached_tokens: Math.min(cached, usage.input_tokens),
    reasoning_tokens: 0,
  }));

const request = (more: Partial<ChatRequest> = {}): ModelRequest => ({
  endpoint: 'chat.completions',
  given: { model: 'acme/large', messages: [{ role: 'user', content: 'Hi' }], ...more },
});

describe('the maximum cost of a request', () => {
  it('is never less than its charge, no matter what the model server reports', () => {
    fc.assert(
      fc.property(bounds, prices, reported, (within, of, usage) => {
        const cost = BigInt(costPicos(withinBounds(usage, within), of));
        expect(cost <= BigInt(worstCaseMicros(within, of)) * 1_000_000n).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });

  it('is no more than some possible usage costs, rounded up', () => {
    const of = { input: 3_000_000, cached_input: 300_000, output: 15_000_000 };
    // 100 tokens at $15, and the remaining 900 of the context at $3.
    expect(worstCaseMicros({ input: 1000, output: 100, context: 1000 }, of)).toBe(1500 + 2700);
    expect(worstCaseMicros({ input: 1, output: 0, context: 1000 }, { ...of, input: 1 })).toBe(1);
    // Cached tokens that cost more than others.
    expect(worstCaseMicros({ input: 10, output: 0, context: 10 }, { ...of, cached_input: 9_000_000 })).toBe(
      90,
    );
  });

  it('is limited by the request: its bytes, max_tokens and the number of answers', () => {
    expect(tokenBounds(request(), 100, 8192)).toEqual({ input: 1124, output: 8192, context: 8192 });
    // Each answer may fill the context, but the messages are in it only once.
    expect(tokenBounds(request({ max_tokens: 20, n: 3 }), 100, 8192)).toEqual({
      input: 1124,
      output: 60,
      context: 3 * 8192,
    });
    expect(tokenBounds(request({ n: 128 }), 100, 8192).output).toBe(128 * 8192);
    expect(tokenBounds(request({ max_tokens: 20, max_completion_tokens: 30 }), 100, 8192).output).toBe(30);
    expect(tokenBounds(request({ max_tokens: 9_000_000_000 }), 100_000, 8192)).toEqual({
      input: 8192,
      output: 8192,
      context: 8192,
    });
  });

  it('counts the answers to each prompt, and none to embeddings', () => {
    const given = { model: 'acme/base', prompt: ['one', 'two'], max_tokens: 5, n: 2, best_of: 3 };
    expect(tokenBounds({ endpoint: 'completions', given }, 100, 1000)).toEqual({
      input: 1124,
      output: 30,
      context: 6000,
    });
    const input = ['one', 'two'];
    expect(tokenBounds({ endpoint: 'embeddings', given: { model: 'a', input } }, 100, 1000)).toEqual({
      input: 1124,
      output: 0,
      context: 2000,
    });
  });

  it('is not limited by the bytes of an image', () => {
    const image = { type: 'image_url', image_url: { url: 'https://images.example.com/1' } };
    const messages = [{ role: 'user', content: [{ type: 'text', text: 'What is this?' }, image] }];
    expect(tokenBounds(request({ messages }), 200, 8192).input).toBe(8192);
    const asked = (type: string): ModelRequest => ({
      endpoint: 'responses',
      given: {
        model: 'a',
        input: [{ role: 'user', content: [{ type, text: undefined }] }],
        max_output_tokens: 7,
      },
    });
    expect(tokenBounds(asked('input_text'), 200, 8192)).toEqual({ input: 1224, output: 7, context: 8192 });
    expect(tokenBounds(asked('input_image'), 200, 8192).input).toBe(8192);
  });

  it('is exact for many answers with a long context, which no cost comes near', () => {
    const context = 8_000_000 * 128;
    const expensive = { input: 999_999_999, cached_input: 0, output: 999_999_999 };
    expect(worstCaseMicros({ input: context, output: context, context }, expensive)).toBe(1_023_999_998_976);
  });

  it('is the maximum output tokens that the funds pay for', () => {
    fc.assert(
      fc.property(bounds, prices, fc.integer({ min: 0, max: 10_000_000_000 }), (within, of, micros) => {
        const costs = (output: number) => worstCaseMicros({ ...within, output }, of);
        fc.pre(costs(within.output) > micros);
        const most = affordableTokens(within, of, micros);
        if (most === null) return void expect(within.output <= 1 || costs(1) > micros).toBe(true);
        expect(costs(most)).toBeLessThanOrEqual(micros);
        expect(costs(most + 1)).toBeGreaterThan(micros);
      }),
    );
  });
});

describe('costs in millionths of a micro-dollar', () => {
  const costs = fc.array(fc.bigInt({ min: 0n, max: 10n ** 18n }), { minLength: 1, maxLength: 50 });

  it('are the same no matter how they are divided into postings, and nothing is lost', () => {
    fc.assert(
      fc.property(
        costs,
        fc.array(fc.nat(50), { maxLength: 10 }),
        fc.integer({ min: 0, max: 999_999 }),
        (all, cuts, carry) => {
          const sum = (amounts: readonly number[]) => amounts.reduce((total, one) => total + one, 0);
          const total = all.reduce((before, one) => before + one, BigInt(carry));
          const ends = [...cuts.filter((cut) => cut < all.length).toSorted((a, b) => a - b), all.length];
          let [left, charged, from] = [carry, 0, 0];
          for (const end of ends) {
            const posted = chargePicos(left, all.slice(from, end));
            charged += sum(posted.amounts);
            [left, from] = [posted.carry, end];
          }
          const once = chargePicos(carry, all);
          expect([charged, left]).toEqual([sum(once.amounts), once.carry]);
          expect(BigInt(charged) * 1_000_000n + BigInt(left)).toBe(total);
          expect(charged).toBe(microsOfPicos(total));
          expect(left).toBeGreaterThanOrEqual(0);
          expect(left).toBeLessThan(1_000_000);
        },
      ),
    );
  });
});
