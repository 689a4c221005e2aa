import { beforeEach, expect, it } from 'vitest';
import { writeStored } from '../stored';
import {
  afterBusy,
  forgetSentCall,
  saveSentCall,
  SENT_CALLS,
  sentCall,
  startsOver,
  startWith,
  type CallId,
} from './sentCalls';

const id: CallId = { chain_id: 8453, contract: `0x${'A1'.repeat(20)}`, data: '0x79ba5097' };
const account = `0x${'f1'.repeat(20)}`;
const hash = `0x${'9'.repeat(64)}`;
const faster = `0x${'8'.repeat(64)}`;

beforeEach(() => writeStored(SENT_CALLS, '[]'));

it('finds a call’s transaction, and no other’s', () => {
  expect(sentCall(id)).toBeNull();
  saveSentCall(id, account, hash);
  expect(sentCall({ ...id, contract: id.contract.toLowerCase() })).toBe(hash);
  for (const other of [{ chain_id: 1 }, { contract: account }, { data: '0x79ba5098' }])
    expect(sentCall({ ...id, ...other })).toBeNull();
});

it('follows a replacement transaction, and forgets it once it is over', () => {
  saveSentCall(id, account, hash);
  saveSentCall({ ...id, chain_id: 1 }, account, hash);
  saveSentCall(id, account.toUpperCase().replace('0X', '0x'), faster);
  expect(sentCall(id)).toBe(faster);
  forgetSentCall(id);
  expect(sentCall(id)).toBeNull();
  expect(sentCall({ ...id, chain_id: 1 })).toBe(hash);
});

it('forgets the oldest entries', () => {
  for (let chain_id = 1; chain_id <= 21; chain_id += 1) saveSentCall({ ...id, chain_id }, account, hash);
  expect(sentCall({ ...id, chain_id: 1 })).toBeNull();
  expect(sentCall({ ...id, chain_id: 21 })).toBe(hash);
});

it('picks up what another tab sent, and when that is over', () => {
  const unsent = startWith(null);
  expect(startsOver(unsent, null)).toBe(false);
  expect(startsOver(unsent, hash)).toBe(true);
  const before = startWith(hash);
  expect(startsOver(before, hash)).toBe(false);
  expect(startsOver(before, faster)).toBe(true);
  expect(startsOver(before, null)).toBe(true);
});

it('isn’t interrupted while its own wallet is asked or awaited', () => {
  const asked = afterBusy(startWith(null), true);
  const followed = afterBusy(startWith(hash), true);
  const sent = { before: null, is: 'sent' } as const;
  expect([asked.is, followed.is, afterBusy(sent, true)]).toEqual(['asked', 'followed', sent]);
  for (const state of [asked, followed, sent, { ...sent, is: 'done' } as const])
    for (const stored of [null, hash, faster]) expect(startsOver(state, stored)).toBe(false);
  // The user rejected it in the wallet.
  expect(startsOver(afterBusy(asked, false), faster)).toBe(true);
});

it.each(['no JSON', '{}', '7', 'null', '[null,1,{"hash":1}]', '[{"chain_id":8453}]'])(
  'survives a damaged store: %s',
  (text) => {
    writeStored(SENT_CALLS, text);
    expect(sentCall(id)).toBeNull();
    saveSentCall(id, account, 'javascript:');
    expect(sentCall(id)).toBeNull();
  },
);
