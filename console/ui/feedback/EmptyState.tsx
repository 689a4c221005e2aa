import styled from '@emotion/styled';
import { lazy, Suspense, type ComponentType, type ReactNode } from 'react';
import type { PictureName } from './Picture';
import { TextLink } from '../link';
import { color, space, type } from '../theme';

/** Most lists aren't empty. Without its illustration, which is decoration, the page still says everything. */
const Picture = lazy<ComponentType<{ name: PictureName }>>(() =>
  import('./Picture').then(
    ({ Picture: loaded }) => ({ default: loaded }),
    () => ({ default: () => null }),
  ),
);

const Frame = styled('div')({ width: 96, height: 64 });
const Box = styled('div')({
  display: 'flex',
  flexDirection: 'column',
  alignItems: 'center',
  textAlign: 'center',
  gap: space(3),
  padding: `${space(12)} ${space(4)}`,
});
const Title = styled('p')({ ...type.heading, color: color.text });
const Text = styled('p')({ ...type.body, color: color.muted, maxWidth: '48ch', textWrap: 'balance' });
const Row = styled('div')({
  display: 'flex',
  flexWrap: 'wrap',
  justifyContent: 'center',
  alignItems: 'center',
  gap: space(4),
});

interface Props {
  /** An illustration; omitted in small panels. */
  picture?: PictureName;
  title?: string;
  /** One sentence: what will appear here, and how. Absent if the page already says it. */
  children?: ReactNode;
  action?: ReactNode;
  link?: { label: string; href: string };
}

/** An empty state: one sentence, one action, one link. */
export function EmptyState({ picture, title, children, action, link }: Props) {
  return (
    <Box>
      {picture && (
        <Frame>
          <Suspense>
            <Picture name={picture} />
          </Suspense>
        </Frame>
      )}
      <div>
        {title !== undefined && <Title>{title}</Title>}
        {children !== undefined && <Text>{children}</Text>}
      </div>
      {(action !== undefined || link) && (
        <Row>
          {action}
          {link && <TextLink href={link.href}>{link.label}</TextLink>}
        </Row>
      )}
    </Box>
  );
}
