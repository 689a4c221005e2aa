import styled from '@emotion/styled';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { SelectInput } from '../ui/forms/SelectInput';
import { PublicFrame } from '../ui/layout/PublicFrame';
import { useThemeEntries } from '../ui/layout/Menus';
import { color, radius, space, type } from '../ui/theme';
import { WIDTHS, type PreviewSearch } from './search';

const Page = styled('div')({ width: '100%', maxWidth: 1280, display: 'grid', gap: space(6), minWidth: 0 });
const Title = styled('h1')({ ...type.title });
const Sub = styled('p')({ ...type.body, color: color.muted, maxWidth: '72ch' });
const Controls = styled('div')({
  display: 'grid',
  gap: space(3),
  gridTemplateColumns: 'repeat(auto-fill, minmax(min(100%, 200px), 1fr))',
  padding: space(4),
  border: `1px solid ${color.line}`,
  borderRadius: radius.panel,
});
const Heading = styled('h2')({ ...type.heading, marginBottom: space(3) });
const Stage = styled('div')({
  minWidth: 0,
  maxWidth: '100%',
  padding: space(4),
  border: `1px dashed ${color.control}`,
  borderRadius: radius.panel,
  backgroundColor: color.surface,
});
const All = styled('ul')({ display: 'grid', gap: space(5) });
const Name = styled('h3')({ ...type.small, color: color.muted, marginBottom: space(1.5) });

interface PreviewState {
  id: string;
  name: string;
  node?: ReactNode;
}

interface Props {
  title: string;
  text: string;
  states: readonly PreviewState[];
  search: PreviewSearch;
  /** Controls specific to the component. */
  controls?: ReactNode;
  /** Replaces the selected state's node. */
  stage?: ReactNode;
  /** For a component with its own sections, whose names would repeat: shows only the selected state. */
  isScreen?: boolean;
}

/** Previews one component: the selected state and an overview of all states. Needs no account and no server. */
export function Preview({ title, text, states, search, controls, stage, isScreen = false }: Props) {
  const navigate = useNavigate();
  const themes = useThemeEntries();
  const set = (change: PreviewSearch) =>
    void navigate({ to: '.', search: { ...search, ...change }, replace: true, resetScroll: false });
  const state = states.find(({ id }) => id === search.state) ?? states[0];
  const width = WIDTHS.find((one) => String(one) === search.width);
  const choices = themes.flatMap((entry) => ('label' in entry && entry.onSelect ? [entry] : []));
  return (
    <PublicFrame wide>
      <Page>
        <div>
          <Title>{title}</Title>
          <Sub>{text}</Sub>
        </div>
        <Controls role="group" aria-label="Controls">
          <SelectInput
            label="State"
            value={state?.id ?? ''}
            choices={states.map(({ id, name }) => ({ value: id, label: name }))}
            onChange={(event) => set({ state: event.target.value })}
          />
          <SelectInput
            label="Width"
            value={search.width ?? ''}
            choices={[
              { value: '', label: 'Page width' },
              ...WIDTHS.map((one) => ({ value: String(one), label: `${one} px` })),
            ]}
            onChange={(event) => set({ width: event.target.value })}
          />
          <SelectInput
            label="Theme"
            value={choices.find(({ checked }) => checked)?.id ?? ''}
            choices={choices.map(({ id, label }) => ({ value: id, label }))}
            onChange={(event) => choices.find(({ id }) => id === event.target.value)?.onSelect?.()}
          />
          {controls}
        </Controls>
        <section aria-label="Component">
          <Heading>{state?.name}</Heading>
          <Stage style={width === undefined ? undefined : { width }}>{stage ?? state?.node}</Stage>
        </section>
        {!isScreen && (
          <section aria-label="All states">
            <Heading>All states</Heading>
            <All>
              {states.map(({ id, name, node }) => (
                <li key={id}>
                  <Name>{name}</Name>
                  <Stage style={width === undefined ? undefined : { width }}>{node}</Stage>
                </li>
              ))}
            </All>
          </section>
        )}
      </Page>
    </PublicFrame>
  );
}
