import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import type { DomainRecord } from '../../../generated/api/types.gen';
import { DomainRecords } from './DomainRecords';

const record = (type: DomainRecord['type'], required: boolean): DomainRecord => ({
  purpose: 'address',
  type,
  name: 'app.example.com',
  value: `value of ${type}`,
  required,
  note: 'Routes the name to the gateway.',
});

const textOf = (records: DomainRecord[]) =>
  renderToStaticMarkup(<DomainRecords records={records} />).replaceAll(/<style.*?<\/style>|<[^>]*>/gs, ' ');

it('counts the optional records', () => {
  expect(textOf([record('CNAME', true), record('A', false)])).toContain('1 optional record (alternatives)');
  expect(textOf([record('TXT', true), record('A', false), record('AAAA', false)])).toContain(
    '2 optional records (alternatives)',
  );
  expect(textOf([record('TXT', true)])).not.toContain('optional');
});
