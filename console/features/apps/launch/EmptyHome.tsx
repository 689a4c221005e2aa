import DatabaseIcon from 'lucide-react/icons/database';
import GlobeIcon from 'lucide-react/icons/globe';
import LockKeyholeIcon from 'lucide-react/icons/lock-keyhole';
import type { ComponentType } from 'react';
import styled from '@emotion/styled';
import { useMayDeploy } from '../../../api/session';
import { ownValue } from '../../../lib/ownValue';
import { launchPath } from '../../../lib/paths';
import { TextLink } from '../../../ui/link';
import { color, focusRing, motion, radius, space, type } from '../../../ui/theme';
import type { Start } from './search';
import { STARTERS } from './starters';

/** Keeps space above a notice that may follow. */
const Home = styled('section')({ marginBottom: space(8) });
const Heading = styled('h2')({ ...type.heading, marginBottom: space(3) });
const Cards = styled('ul')({
  display: 'grid',
  gap: space(3),
  gridTemplateColumns: 'repeat(auto-fit, minmax(min(100%, 260px), 1fr))',
  marginBottom: space(4),
});
const Card = styled('button')({
  ...type.body,
  display: 'grid',
  gridTemplateColumns: '24px minmax(0, 1fr)',
  columnGap: space(3),
  width: '100%',
  height: '100%',
  padding: space(4),
  border: `1px solid ${color.control}`,
  borderRadius: radius.panel,
  backgroundColor: 'transparent',
  color: color.text,
  textAlign: 'left',
  cursor: 'pointer',
  transition: `border-color ${motion.fast}, background-color ${motion.fast}`,
  '&:hover:enabled': { backgroundColor: color.hover },
  '&:disabled': { cursor: 'default', color: color.faint },
  '&:focus-visible': focusRing,
  '& svg': { fontSize: 22, color: color.muted },
});
const Name = styled('span')({ display: 'block', fontWeight: 600 });
const Text = styled('span')({ ...type.small, display: 'block', marginTop: space(0.5), color: color.muted });

const ICONS: Readonly<Record<string, ComponentType>> = {
  web: GlobeIcon,
  secret: LockKeyholeIcon,
  database: DatabaseIcon,
};

interface Props {
  teamSlug: string;
  /** Fills in the deploy form and opens it. */
  onStart: (start: Start) => void;
}

/** Starter templates for a team without apps, and a link to the other options. */
export function EmptyHome({ teamSlug, onStart }: Props) {
  const may = useMayDeploy(teamSlug);
  return (
    <Home aria-labelledby="starters">
      <Heading id="starters">Start from a template</Heading>
      <Cards>
        {STARTERS.map(({ id, title, text, ...starter }) => {
          const Icon = ownValue(ICONS, id) ?? GlobeIcon;
          return (
            <li key={id}>
              <Card type="button" disabled={may.reason !== undefined} onClick={() => onStart(starter)}>
                <Icon />
                <span>
                  <Name>{title}</Name>
                  <Text>{text}</Text>
                </span>
              </Card>
            </li>
          );
        })}
      </Cards>
      <TextLink href={launchPath(teamSlug)}>Other ways to start</TextLink>
    </Home>
  );
}
