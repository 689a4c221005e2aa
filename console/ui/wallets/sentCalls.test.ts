import { beforeEach, expect, it } from 'vitest';
import { writeStored } from '../stored';
import {
  forgetSentCall,
  onSentElsewhere,
  saveSentCall,
  SENT_CALLS,
  sentCall,
  type CallId,
} from './sentCalls';

const id: CallId = { chain_id: 8453, contract: `0x${'A1'.repeat(20)}`, data: '0x79ba5097' };
const account = `0x${'f1'.repeat(20)}`;
const hash = `0x${'9'.repeat(64)}`;
const faster = `0x${'8'.repeat(64)}`;

beforeEach(() => writeStored(SENT_CALLS, '[]'));

it('finds the transaction of a call again, and of no other', () => {
  expect(sentCall(id)).toBeNull();
  saveSentCall(id, account, hash);
  expect(sentCall({ ...id, contract: id.contract.toLowerCase() })).toBe(hash);
  for (const other of [{ chain_id: 1 }, { contract: account }, { data: '0x79ba5098' }])
    expect(sentCall({ ...id, ...other })).toBeNull();
});

it('follows the transaction in its place, and forgets it once it is over', () => {
  saveSentCall(id, account, hash);
  saveSentCall({ ...id, chain_id: 1 }, account, hash);
  saveSentCall(id, account.toUpperCase().replace('0X', '0x'), faster);
  expect(sentCall(id)).toBe(faster);
  forgetSentCall(id);
  expect(sentCall(id)).toBeNull();
  expect(sentCall({ ...id, chain_id: 1 })).toBe(hash);
});

it('forgets the oldest of many', () => {
  for (let chain_id = 1; chain_id <= 21; chain_id += 1) saveSentCall({ ...id, chain_id }, account, hash);
  expect(sentCall({ ...id, chain_id: 1 })).toBeNull();
  expect(sentCall({ ...id, chain_id: 21 })).toBe(hash);
});

it('continues with what another tab sent', () => {
  const tab = new EventTarget();
  const seen: (string | null)[] = [];
  const stop = onSentElsewhere(id, (now) => seen.push(now), tab);
  const changed = () => tab.dispatchEvent(new Event('storage'));
  saveSentCall({ ...id, chain_id: 1 }, account, hash);
  changed();
  saveSentCall(id, account, hash);
  changed();
  changed();
  forgetSentCall(id);
  changed();
  stop();
  saveSentCall(id, account, hash);
  changed();
  expect(seen).toEqual([hash, null]);
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
