import ChevronsUpDownIcon from 'lucide-react/icons/chevrons-up-down';
import { Button } from '../controls/Button';
import styled from '@emotion/styled';
import { MenuButton } from '../controls/MenuButton';
import { useMedia } from '../media';
import { space } from '../theme';
import type { NavItem } from './frameData';
import { tabEntry } from './tabEntry';
import { TabItem, TabList } from './TabItem';
import { TabLine } from './TabLine';

const Root = styled('nav')({ marginBottom: space(5) });

interface Props {
  tabs: readonly NavItem[];
  label: string;
  /** For records with many tabs: those that don't fit on one line are in a menu at the end. */
  oneLine?: boolean;
}

/**
 * A record's parts, each with its own address. On a phone they are a menu, so that nothing scrolls horizontally.
 */
export function Tabs({ tabs, label, oneLine = false }: Props) {
  const narrow = useMedia('(max-width: 640px)');
  const current = tabs.find((tab) => tab.current);
  if (narrow && tabs.length > 3) {
    return (
      <Root aria-label={label}>
        <MenuButton
          align="left"
          entries={tabs.map((tab) => ({
            ...tabEntry(tab),
            role: 'menuitemradio',
            checked: tab.current === true,
          }))}
          trigger={(props) => (
            <Button
              {...props}
              fullWidth
              endIcon={<ChevronsUpDownIcon />}
              style={{ justifyContent: 'space-between', height: 40 }}
            >
              {current?.label ?? label}
            </Button>
          )}
        />
      </Root>
    );
  }
  return (
    <Root aria-label={label}>
      {oneLine ? (
        <TabLine tabs={tabs} />
      ) : (
        <TabList>
          {tabs.map((tab) => (
            <li key={tab.href}>
              <TabItem tab={tab} />
            </li>
          ))}
        </TabList>
      )}
    </Root>
  );
}
