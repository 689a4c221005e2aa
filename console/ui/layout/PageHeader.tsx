import styled from '@emotion/styled';
import type { ReactNode } from 'react';
import { OverflowMenu, type MenuEntry } from '../controls/MenuButton';
import { color, space, type } from '../theme';

const Root = styled('div')({
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'flex-start',
  gap: `${space(3)} ${space(4)}`,
  marginBottom: space(5),
});
const Words = styled('div')({ flex: '1 1 320px', minWidth: 0 });
const Line = styled('div')({
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  gap: `${space(1)} ${space(3)}`,
  minHeight: 32,
  minWidth: 0,
});
// A name of 200 characters is shown on two lines; the title has the rest.
const Title = styled('h1')({
  ...type.title,
  minWidth: 0,
  overflowWrap: 'anywhere',
  display: '-webkit-box',
  WebkitLineClamp: 2,
  WebkitBoxOrient: 'vertical',
  overflow: 'hidden',
});
const Sub = styled('div')({ ...type.body, color: color.muted, overflowWrap: 'anywhere' });
const Actions = styled('div')({ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: space(2) });

interface Props {
  title: string;
  subtitle?: ReactNode;
  /** The status, beside the title. */
  status?: ReactNode;
  /** The page's primary action. */
  primary?: ReactNode;
  /** At most two less prominent actions. */
  secondary?: ReactNode;
  overflow?: MenuEntry[];
}

export function PageHeader({ title, subtitle, status, primary, secondary, overflow = [] }: Props) {
  const hasActions = primary !== undefined || secondary !== undefined || overflow.length > 0;
  return (
    <Root>
      <Words>
        <Line>
          <Title title={title.length > 80 ? title : undefined}>{title}</Title>
          {status}
        </Line>
        {subtitle !== undefined && <Sub>{subtitle}</Sub>}
      </Words>
      {hasActions && (
        <Actions>
          <OverflowMenu label="More actions" entries={overflow} />
          {secondary}
          {primary}
        </Actions>
      )}
    </Root>
  );
}
