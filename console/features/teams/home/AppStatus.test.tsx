import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import type { App } from '../../../../generated/api/types.gen';
import { appColumns } from './appColumns';

const cvm = {
  status: 'running',
  desired_status: 'running',
  hourly_rate: { total: '0.058' },
  operation: null,
};
const shown = (id: string, cvms: number, cvm_count: number) => {
  const app = { cvms: Array.from({ length: cvms }, () => cvm), cvm_count } as unknown as App;
  return renderToStaticMarkup(<>{appColumns.find((column) => column.id === id)?.cell(app)}</>);
};

it('says if an app has more CVMs than the list contains', () => {
  expect(shown('cost', 25, 30)).toBe('≥ $1.45/h');
  expect(shown('status', 25, 30)).toContain('of the newest 25');
  expect(shown('cost', 25, 25)).toBe('$1.45/h');
  expect(shown('status', 25, 25)).not.toContain('newest');
});
