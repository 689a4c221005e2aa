import { expect, it } from 'vitest';
import { getResource, resources } from '../schema/resources';
import { headlineOf, midSentence, nameOfUnread, spokenOf } from '../record';
import {
  askTitle,
  deletionEffects,
  deletionText,
  doneText,
  failedText,
  isOffered,
  keepLabel,
  refusedToSelf,
  unchangedText,
} from './action';
import { unmetNeed } from './needs';
import { createdText, createTitle } from './parentRecord';

const action = (resource: string, name: string) =>
  getResource(resource).actions.find((one) => one.name === name)!;

it('says what happened, and to which record', () => {
  expect(doneText(action('invoices', 'issue'), 'inv_1f2e')).toBe('Invoice inv_1f2e issued');
  expect(doneText(action('teepods', 'drain'), 'rack1-a')).toBe('Drain of rack1-a started');
  // Inserted literally, whatever the name contains.
  expect(doneText(action('teepods', 'cordon'), '$& {record}')).toBe('$& {record} cordoned');
});

it('says that a transfer had already been confirmed, not that it is confirmed now', () => {
  const confirm = action('payments', 'receipts');
  expect(unchangedText(confirm, { already_confirmed: true }, 'TH-1')).toBe(
    'Transfer TH-1 was already confirmed, nothing added',
  );
  expect(unchangedText(confirm, {}, 'TH-1')).toBeNull();
  expect(unchangedText(action('payments', 'reject'), { already_confirmed: true }, 'TH-1')).toBeNull();
});

it('falls back to a sentence if the document has no words for an action', () => {
  expect(doneText({ label: 'Water' }, 'Fern 3')).toBe('“Water” completed for Fern 3');
  expect(doneText({ label: 'Repot', starts: true }, 'Fern 3')).toBe('“Repot” started for Fern 3');
});

it('has words for every action except those whose reply is shown instead', () => {
  const records = new Set(resources.map(({ schema }) => schema));
  const silent = resources.flatMap(({ name, actions }) =>
    actions
      .filter(({ done, reply }) => done === undefined && (reply === undefined || records.has(reply)))
      .map((one) => `${name}/${one.name}`),
  );
  expect(silent).toEqual([]);
});

it('names money by its amount and an order by its product, not by their IDs', () => {
  const credit = { id: 7, public_id: 'cre_zzf0y0qvq3hkregn', amount: '250.00' };
  expect(spokenOf(getResource('credits'), credit)).toBe('$250.00');
  expect(doneText(action('credits', 'revoke'), '$250.00')).toBe('Credit of $250.00 revoked');
  const order = { id: 1, public_id: 'ord_vw0g6bj1xjhrkmz6', name: 'Small for a day', total: '1.20' };
  expect(doneText(action('orders', 'refund'), spokenOf(getResource('orders'), order))).toBe(
    'Refund for order Small for a day added to the balance',
  );
});

it('names the team in the form that grants it a credit', () => {
  expect(createTitle(getResource('credits'), { title: 'Acme' })).toBe('Grant credit: Acme');
  expect(createTitle(getResource('credits'))).toBe('Grant credit');
});

it('names the team after the credit is granted', () => {
  const credits = getResource('credits');
  expect(createdText(credits, '$250.00', { title: 'Acme' })).toBe('Credit of $250.00 granted · Acme');
  expect(createdText(credits, '$250.00')).toBe('Credit of $250.00 granted');
  expect(createdText(getResource('nodes'), 'rack1')).toBe('Added rack1');
});

it('does not repeat a reference’s label if the user can’t read its record', () => {
  expect(nameOfUnread(getResource('instance-types'), 'tdx.small')).toBe('tdx.small');
  expect(nameOfUnread(getResource('workspaces'), 7)).toMatch(/ 7$/);
});

it('uses the same sentence in the question and in the refusal', () => {
  const { cordon, suspend } = { cordon: action('teepods', 'cordon'), suspend: action('users', 'suspend') };
  expect(askTitle(cordon, 'rack1-a')).toBe('Cordon rack1-a?');
  expect(failedText(suspend, 'bob')).toBe('Couldn’t suspend bob');
  expect(askTitle(action('users', 'end-sessions'), '$& {record}')).toBe('End all sessions of $& {record}?');
  const drain = midSentence(getResource('drains'), { id: 2 });
  expect(askTitle(action('drains', 'cancel'), drain)).toBe('Cancel drain 2?');
  expect(failedText(action('drains', 'cancel'), drain)).toBe('Couldn’t cancel drain 2');
  expect(midSentence(getResource('drains'), { id: 2, title: 'Drain of rack1-a' })).toBe('drain of rack1-a');
});

it('keeps the first letter of a name', () => {
  expect(midSentence(getResource('teepods'), { id: 2, name: 'Teepod of Ann' })).toBe('Teepod of Ann');
  expect(midSentence(getResource('announcements'), { id: 2, title: 'Drains today' })).toBe('Drains today');
});

it('never offers two buttons named Cancel', () => {
  const cancels = resources.flatMap(({ actions }) => actions.filter(({ name }) => name === 'cancel'));
  expect(cancels.map(({ label }) => label)).toEqual(
    expect.arrayContaining(['Cancel drain', 'Cancel job', 'Cancel order']),
  );
  for (const one of cancels) {
    expect(one.label).not.toBe('Cancel');
    expect(keepLabel(one)).not.toBe('Cancel');
  }
  expect(keepLabel({ label: 'Cancel' })).toBe('Go back');
  expect(keepLabel({ label: 'Cordon' })).toBe('Cancel');
});

it('says in advance what would always be refused', () => {
  const suspend = action('users', 'suspend');
  expect(refusedToSelf(suspend, { id: 1, username: 'root' }, 'root')).toBe('You can’t suspend yourself.');
  expect(refusedToSelf(suspend, { id: 2, username: 'bob' }, 'root')).toBeUndefined();
  const { delete: teepod = {} } = getResource('teepods').hints;
  expect(unmetNeed(teepod, { id: 1, kind: 'local', used_cvms: 0 })).toMatch(/part of this server/);
  expect(unmetNeed(teepod, { id: 2, kind: 'dstack_vmm', used_cvms: 3 })).toMatch(/has CVMs/);
  expect(unmetNeed(teepod, { id: 2, kind: 'dstack_vmm', used_cvms: 0 })).toBeUndefined();
  // A list row may lack the field; then the server decides.
  expect(unmetNeed(teepod, { id: 2 })).toBeUndefined();
});

it('names what a deletion also removes', () => {
  const team = { id: 5, name: 'Acme', member_count: 3, app_count: 2, balance: '99.97' };
  expect(deletionEffects(getResource('workspaces'), team)).toEqual([
    'Members who lose access and are notified by email: 3.',
    'Apps that are removed: 2.',
    'Balance that is lost: $99.97.',
    'Its invoices and audit log are kept.',
  ]);
  // Every deletable record describes the consequences in its own words.
  const silent = resources.filter(
    ({ permissions, hints }) => permissions.delete !== undefined && !hints.delete?.effects,
  );
  expect(silent.map(({ name }) => name)).toEqual([]);
});

it('explains why a record can’t be deleted, instead of describing its deletion', () => {
  const announcements = getResource('announcements');
  expect(deletionText(announcements, { id: 1, state: 'draft' })).toBe(
    'The draft is removed. Nobody has seen it.',
  );
  expect(deletionText(announcements, { id: 1, state: 'live' })).toBe(
    'It was published, so it can only be ended.',
  );
});

it('names only fields the record has', () => {
  const unknown = resources.flatMap(({ name, hints, fields }) => {
    const { effects = [], needs = [] } = hints.delete ?? {};
    const named = [...effects.join(' ').matchAll(/\{(\w+)\}/g)].map((match) => match[1]);
    return [...named, ...needs.map(({ field }) => field)]
      .filter((field) => !fields.some((one) => one.name === field))
      .map((field) => `${name}.${field}`);
  });
  expect(unknown).toEqual([]);
});

it('shows the amount as the headline of a money page', () => {
  const credit = { id: 7, public_id: 'cre_zzf0y0qvq3hkregn', amount: '250.00' };
  expect(headlineOf(getResource('credits'), credit)).toBe('Credit of $250.00');
  expect(headlineOf(getResource('transactions'), { ...credit, amount: '-12.5' })).toBe(
    'Transaction of −$12.50',
  );
  expect(headlineOf(getResource('nodes'), { id: 1, name: 'rack1', amount: '5' })).toBe('rack1');
});

it('offers nothing for a deleted CVM, whose page remains', () => {
  const cvms = getResource('cvms');
  const offered = (status: string) =>
    cvms.actions.filter((action) => isOffered(action, { id: 'x', status })).map(({ name }) => name);
  expect(offered('deleted')).toEqual([]);
  expect(offered('running')).not.toEqual([]);
  expect(cvms.permissions.show).toBeDefined();
  expect(cvms.fields.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['team_id', 'teepod_id', 'deleted_at', 'deleted_by']),
  );
});

it('says beforehand which records can no longer be edited', () => {
  const refusal = (name: string, record: Record<string, unknown>) =>
    unmetNeed(getResource(name).hints.edit ?? {}, { id: 1, ...record });
  expect(refusal('announcements', { state: 'ended' })).toMatch(/^It has ended/);
  expect(refusal('announcements', { state: 'live' })).toBeUndefined();
  expect(refusal('maintenance-windows', { state: 'over' })).toMatch(/^It has ended/);
  expect(refusal('workspaces', { deleted_at: '2026-11-21T08:00:00Z' })).toBe('The team is deleted.');
  expect(refusal('workspaces', { deleted_at: null })).toBeUndefined();
  expect(refusal('views', { mine: false })).toMatch(/^Only its owner/);
});

it('offers neither to resend sent mail nor to reset one’s own second factor', () => {
  const retry = action('outbox', 'retry');
  const offered = ['queued', 'sending', 'sent', 'failed', 'kept'].filter((state) =>
    isOffered(retry, { id: 1, state }),
  );
  expect(offered).toEqual(['queued', 'failed', 'kept']);
  const reset = action('users', 'reset-second-factor');
  expect(refusedToSelf(reset, { id: 1, username: 'ada' }, 'ada')).toMatch(/your own/);
  expect(refusedToSelf(reset, { id: 1, username: 'bob' }, 'ada')).toBeUndefined();
});
