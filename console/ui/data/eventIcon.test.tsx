import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { EventIcon } from './EventIcon';

const iconOf = (kind: string, severity: 'info' | 'warning' | 'error' = 'info') =>
  /lucide-([a-z0-9-]+)/.exec(renderToStaticMarkup(<EventIcon kind={kind} severity={severity} />))?.[1];

it('tells kinds of events apart by their icons', () => {
  const kinds = ['deploy', 'start', 'stop', 'restart', 'update', 'resize', 'move', 'delete', 'rollout'];
  const icons = kinds.map((kind) => iconOf(`${kind}.succeeded`));
  expect(new Set(icons).size).toBe(kinds.length);
  expect(icons[0]).toBe('rocket');
  // The request and the result of an operation look alike.
  expect(kinds.map((kind) => iconOf(`${kind}.requested`))).toEqual(icons);
});

it('shows that something failed instead of its kind', () => {
  expect(iconOf('deploy.failed', 'error')).toBe('circle-x');
  expect(iconOf('cvm.drift', 'warning')).toBe('triangle-exclamation-point');
});
