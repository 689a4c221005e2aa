import { createElement, type ComponentType } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { importWithRetry } from '../lib/importWithRetry';
import { ownValue } from '../lib/ownValue';
import { islands } from './islands/islands';
import './styles';

/** Brings a public page's interactive parts to life. Pages without any don't load this. */
for (const root of document.querySelectorAll<HTMLElement>('[data-island]')) {
  const { island = '', props = '{}' } = root.dataset;
  const load = ownValue(islands, island);
  if (load)
    void importWithRetry<unknown>(load).then((Component) =>
      hydrateRoot(root, createElement(Component as ComponentType<object>, JSON.parse(props) as object)),
    );
}
