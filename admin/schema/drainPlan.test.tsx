import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import type { AdminDrainPlanCvm } from '../../generated/api/types.gen';
import { expectedRows } from './DrainPlanInput';
import { DrainPlanTable } from './DrainPlanTable';

const cvm: AdminDrainPlanCvm = {
  vm_uuid: '550e8400-e29b-41d4-a716-446655440000',
  name: 'web',
  team_name: 'Acme Robotics',
  team_slug: 'acme-4f2c',
  status: 'running',
  can_move: true,
  reason: 'Its owner allows it to be moved.',
  reason_keys: [],
};

const table = (cvms: AdminDrainPlanCvm[] | undefined, expected = 2) =>
  renderToStaticMarkup(
    <DrainPlanTable cvms={cvms} expected={expected} actionOf={() => 'move'} onChoose={() => undefined} />,
  );

it('shows each CVM’s team by name, then slug', () => {
  const html = table([cvm]).replaceAll(/<style[^>]*>.*?<\/style>/g, '');
  expect(html).toMatch(/Acme Robotics<span[^>]*>acme-4f2c</);
});

it('reserves as many rows as the host has CVMs while loading', () => {
  const rows = (html: string) => [...html.matchAll(/<tr aria-hidden/g)].length;
  expect(rows(table(undefined, expectedRows({ id: 1, used_cvms: 4, recycled_cvms: 1 })))).toBe(3);
  expect(
    rows(table(undefined, expectedRows({ id: 1, used_cvms: 40, recycled_cvms: 0 }))),
    'more scroll',
  ).toBe(5);
  expect(expectedRows({ id: 1, used_cvms: 0, recycled_cvms: 0 })).toBe(0);
  expect(rows(table(undefined, expectedRows(undefined))), 'unknown').toBe(2);
  expect(rows(table([cvm], 3))).toBe(0);
});
