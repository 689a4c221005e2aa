import GitCompareIcon from 'lucide-react/icons/git-compare-arrows';
import ZoomOutIcon from 'lucide-react/icons/zoom-out';
import styled from '@emotion/styled';
import { useRef, type ReactNode } from 'react';
import { Button } from '../../ui/controls/Button';
import { color } from '../../ui/theme';
import { ChartTools } from './ChartGrid';
import { RangeTabs } from './RangeTabs';
import { RANGES } from './search';
import type { UsageView } from './useUsageView';

const Toggle = styled(Button)({
  '&[aria-pressed="true"]': { backgroundColor: color.selected, borderColor: color.accent },
});

interface Props {
  view: UsageView;
  /** More buttons. */
  children?: ReactNode;
}

/** Controls for what the charts show. */
export function ViewTools({ view, children }: Props) {
  const tools = useRef<HTMLDivElement>(null);
  const reset = () => {
    // The button is about to disappear, so focus moves to the tab of the range shown next.
    tools.current?.querySelectorAll<HTMLElement>('nav a')[RANGES.indexOf(view.range)]?.focus();
    view.zoom(null);
  };
  return (
    <ChartTools ref={tools}>
      {view.zoomed && (
        <Button size="small" startIcon={<ZoomOutIcon />} onClick={reset}>
          Reset zoom
        </Button>
      )}
      <RangeTabs range={view.zoomed ? null : view.range} />
      <Toggle
        size="small"
        startIcon={<GitCompareIcon />}
        aria-pressed={view.compared}
        onClick={view.toggleCompare}
      >
        Compare with previous period
      </Toggle>
      {children}
    </ChartTools>
  );
}
