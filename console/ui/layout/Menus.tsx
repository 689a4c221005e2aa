import ChevronsUpDownIcon from 'lucide-react/icons/chevrons-up-down';
import styled from '@emotion/styled';
import { useColorScheme } from '../colorScheme';
import { IconAction } from '../controls/IconAction';
import { MenuButton, type MenuEntry } from '../controls/MenuButton';
import { Spinner } from '../controls/Spinner';
import { color, motion, radius, space, tabular, truncated, type } from '../theme';
import { counted } from '../../lib/texts/count';

const Switch = styled('button')({
  ...type.body,
  display: 'flex',
  alignItems: 'center',
  gap: space(2),
  width: '100%',
  height: 36,
  padding: `0 ${space(2)}`,
  border: `1px solid ${color.line}`,
  borderRadius: radius.control,
  backgroundColor: color.surface,
  color: color.text,
  fontWeight: 550,
  textAlign: 'left',
  cursor: 'pointer',
  transition: `border-color ${motion.fast}`,
  '& svg': { fontSize: 16, color: color.faint, flex: 'none' },
  '&:hover': { borderColor: color.control },
});
const Name = styled('span')({
  flex: 1,
  minWidth: 0,
  ...truncated,
});
const Tile = styled('span')({
  ...type.caption,
  flex: 'none',
  display: 'inline-flex',
  alignItems: 'center',
  justifyContent: 'center',
  width: 20,
  height: 20,
  borderRadius: radius.small,
  backgroundColor: color.accentSoft,
  color: color.accentText,
  fontWeight: 650,
});
const Face = styled(Tile)({ width: 26, height: 26, borderRadius: 13 });

const initial = (name: string) => ([...name.trim()][0] ?? '?').toUpperCase();

/** The current team, and the user's others. */
export function TeamSwitcher({ name, entries }: { name: string; entries: MenuEntry[] }) {
  return (
    <MenuButton
      align="left"
      entries={entries}
      trigger={(props) => (
        <Switch type="button" {...props} aria-label={`Team: ${name}. Switch team`} title={name}>
          <Tile aria-hidden>{initial(name)}</Tile>
          <Name>{name}</Name>
          <ChevronsUpDownIcon />
        </Switch>
      )}
    />
  );
}

/** System, light or dark: entries for any menu. */
export function useThemeEntries(): MenuEntry[] {
  const { choice: chosen, choose } = useColorScheme();
  const choice = (id: 'system' | 'light' | 'dark', label: string): MenuEntry => ({
    id: `theme-${id}`,
    label,
    role: 'menuitemradio',
    checked: chosen === id,
    onSelect: () => choose(id),
  });
  return [
    { id: 'theme', heading: 'Theme' },
    choice('system', 'System'),
    choice('light', 'Light'),
    choice('dark', 'Dark'),
  ];
}

/** The account menu, top right: the signed-in user, their pages, the theme and sign-out. */
export function AccountMenu({ name, email, entries }: { name: string; email: string; entries: MenuEntry[] }) {
  const theme = useThemeEntries();
  return (
    <MenuButton
      entries={[
        { id: 'who', heading: email },
        ...entries.slice(0, -1),
        { id: 'rule-theme', rule: true },
        ...theme,
        { id: 'rule-last', rule: true },
        ...entries.slice(-1),
      ]}
      trigger={(props) => (
        <IconAction {...props} label={`Account: ${name}`}>
          <Face aria-hidden>{initial(name)}</Face>
        </IconAction>
      )}
    />
  );
}

const Busy = styled('button')({
  ...type.small,
  ...tabular,
  display: 'inline-flex',
  alignItems: 'center',
  gap: space(1.5),
  height: 28,
  padding: `0 ${space(2)}`,
  border: 0,
  borderRadius: radius.control,
  backgroundColor: color.progressSoft,
  color: color.progressText,
  fontWeight: 550,
  cursor: 'pointer',
  whiteSpace: 'nowrap',
});

export interface OperationInFlight {
  id: string;
  /** "Deploying", "Restarting". */
  title: string;
  /** The operation's target. */
  subject: string;
  detail?: string;
  href: string;
}

/** Operations in progress anywhere in the team; hidden when there are none. */
export function OperationsButton({
  operations,
  hasMore = false,
  allHref,
}: {
  operations: readonly OperationInFlight[];
  /** Whether there are others. */
  hasMore?: boolean;
  allHref?: string;
}) {
  if (operations.length === 0) return null;
  const entries: MenuEntry[] = [
    { id: 'heading', heading: hasMore ? `In progress: the newest ${operations.length}` : 'In progress' },
    ...operations.map(({ id, title, subject, detail, href }): MenuEntry => ({
      id,
      label: `${title} ${subject}`,
      icon: <Spinner />,
      href,
      ...(detail === undefined ? {} : { detail }),
    })),
    ...(allHref === undefined
      ? []
      : [{ id: 'rule', rule: true } as const, { id: 'all', label: 'All operations', href: allHref }]),
  ];
  return (
    <MenuButton
      entries={entries}
      trigger={(props) => (
        <Busy
          type="button"
          {...props}
          aria-label={`${hasMore ? 'More than ' : ''}${counted(operations.length, ['operation', 'operations'])} in progress`}
        >
          <Spinner />
          {`${operations.length}${hasMore ? '+' : ''}`}
        </Busy>
      )}
    />
  );
}
