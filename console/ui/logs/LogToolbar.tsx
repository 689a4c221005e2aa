import ClockIcon from 'lucide-react/icons/clock';
import Trash2Icon from 'lucide-react/icons/trash-2';
import DownloadIcon from 'lucide-react/icons/download';
import FunnelIcon from 'lucide-react/icons/funnel';
import ChevronDownIcon from 'lucide-react/icons/chevron-down';
import ChevronUpIcon from 'lucide-react/icons/chevron-up';
import PauseIcon from 'lucide-react/icons/pause';
import PlayIcon from 'lucide-react/icons/play';
import SearchIcon from 'lucide-react/icons/search';
import WrapTextIcon from 'lucide-react/icons/wrap-text';
import { Button } from '../controls/Button';
import styled from '@emotion/styled';
import type { Ref } from 'react';
import { IconAction } from '../controls/IconAction';
import { MenuButton } from '../controls/MenuButton';
import { count } from '../../lib/texts/count';
import { color, motion, radius, space, tabular, type } from '../theme';

const Root = styled('div')({
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  gap: space(1),
  padding: space(1.5),
  borderBottom: `1px solid ${color.line}`,
  backgroundColor: color.surface,
});
const Search = styled('div')({
  ...type.small,
  display: 'flex',
  alignItems: 'center',
  gap: space(1),
  flex: '1 1 220px',
  maxWidth: 420,
  height: 28,
  padding: `0 ${space(0.5)} 0 ${space(2)}`,
  border: `1px solid ${color.control}`,
  borderRadius: radius.control,
  color: color.muted,
  transition: `border-color ${motion.fast}`,
  '&:focus-within': { outline: `2px solid ${color.focus}`, outlineOffset: '-1px' },
  '& > svg': { fontSize: 16, flex: 'none' },
  '& input': {
    ...type.small,
    flex: 1,
    minWidth: 40,
    border: 0,
    outline: '0 !important',
    background: 'none',
    color: color.text,
    fontFamily: 'inherit',
  },
  '& input::-webkit-search-cancel-button': { display: 'none' },
  '& input::placeholder': { color: color.faint, opacity: 1 },
});
const Hits = styled('span')({ ...type.caption, ...tabular, whiteSpace: 'nowrap' });
const Gap = styled('span')({ flex: 1 });

export interface LogOptions {
  wrap: boolean;
  times: boolean;
  only: boolean;
}

interface Props {
  query: string;
  onQuery: (query: string) => void;
  searchRef: Ref<HTMLInputElement>;
  hits: number;
  /** Whether some lines haven't been searched yet. */
  searching: boolean;
  /** Index of the current match, -1 before the first jump. */
  hit: number;
  onHit: (step: 1 | -1) => void;
  options: LogOptions;
  onOption: (name: keyof LogOptions) => void;
  channels: readonly string[];
  chosen: ReadonlySet<string>;
  onChannel: (channel: string | null) => void;
  paused: boolean;
  canPause: boolean;
  onPause: () => void;
  onDownload?: (() => void) | undefined;
  onClear?: (() => void) | undefined;
}

const on = (active: boolean) =>
  active ? { backgroundColor: color.selected, color: color.accentText } : undefined;

export function LogToolbar(props: Props) {
  const { query, hits, hit, onHit, options, onOption, channels, chosen, onChannel, paused } = props;
  const { onDownload, onClear, onPause, canPause, searchRef } = props;
  const channelLabel =
    chosen.size === 0 ? 'All sources' : chosen.size === 1 ? [...chosen][0]! : `${chosen.size} sources`;
  return (
    <Root role="toolbar" aria-label="Log tools">
      <Search>
        <SearchIcon aria-hidden />
        <input
          ref={searchRef}
          type="search"
          aria-label="Search the log"
          placeholder="Search (press /)"
          value={query}
          spellCheck={false}
          autoComplete="off"
          onChange={(event) => props.onQuery(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter') onHit(event.shiftKey ? -1 : 1);
            if (event.key === 'Escape') props.onQuery('');
          }}
        />
        {query !== '' && (
          <>
            <Hits role="status">
              {hits === 0
                ? props.searching
                  ? 'Searching…'
                  : 'No match'
                : `${hit < 0 ? '' : `${count(hit + 1)} of `}${count(hits)}`}
            </Hits>
            <IconAction
              size="small"
              label="Previous match"
              hint="Shift Enter"
              disabled={hits === 0}
              onClick={() => onHit(-1)}
            >
              <ChevronUpIcon />
            </IconAction>
            <IconAction
              size="small"
              label="Next match"
              hint="Enter"
              disabled={hits === 0}
              onClick={() => onHit(1)}
            >
              <ChevronDownIcon />
            </IconAction>
            <IconAction
              size="small"
              label="Show only matching lines"
              aria-pressed={options.only}
              style={on(options.only)}
              onClick={() => onOption('only')}
            >
              <FunnelIcon />
            </IconAction>
          </>
        )}
      </Search>
      {channels.length > 1 && (
        <MenuButton
          stayOpen
          align="left"
          entries={[
            {
              id: 'all',
              label: 'All sources',
              role: 'menuitemcheckbox',
              checked: chosen.size === 0,
              onSelect: () => onChannel(null),
            },
            { id: 'rule', rule: true },
            ...channels.map((channel) => ({
              id: `channel-${channel}`,
              label: channel,
              role: 'menuitemcheckbox' as const,
              checked: chosen.has(channel),
              onSelect: () => onChannel(channel),
            })),
          ]}
          trigger={(trigger) => (
            <Button size="small" {...trigger} endIcon={<ChevronDownIcon />}>
              {channelLabel}
            </Button>
          )}
        />
      )}
      <Gap />
      <IconAction
        size="small"
        label="Wrap long lines"
        aria-pressed={options.wrap}
        style={on(options.wrap)}
        onClick={() => onOption('wrap')}
      >
        <WrapTextIcon />
      </IconAction>
      <IconAction
        size="small"
        label="Show timestamps"
        aria-pressed={options.times}
        style={on(options.times)}
        onClick={() => onOption('times')}
      >
        <ClockIcon />
      </IconAction>
      {onDownload && (
        <IconAction size="small" label="Download" onClick={onDownload}>
          <DownloadIcon />
        </IconAction>
      )}
      {onClear && (
        <IconAction size="small" label="Clear this view" onClick={onClear}>
          <Trash2Icon />
        </IconAction>
      )}
      {canPause && (
        <Button size="small" startIcon={paused ? <PlayIcon /> : <PauseIcon />} onClick={onPause}>
          {paused ? 'Resume' : 'Pause'}
        </Button>
      )}
    </Root>
  );
}
