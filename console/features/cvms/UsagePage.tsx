import { formatMonthly, parseMicros } from '../../lib/money';
import { Cost } from '../../ui/data/Cost';
import { KeyValue } from '../../ui/data/KeyValue';
import { EmptyState } from '../../ui/feedback/EmptyState';
import { Panel } from '../../ui/layout/Panel';
import { useCvm, useCvmLink } from './address';
import { isUp } from './cvmState';
import { LiveStats } from './LiveStats';
import { sizeWords } from './CvmAside';

/** What it uses now and what that costs. */
export function UsagePage() {
  const cvm = useCvm();
  const link = useCvmLink();
  const micros = cvm.hourly_rate === null ? null : parseMicros(cvm.hourly_rate);
  return (
    <>
      <Panel title="Cost">
        <KeyValue
          facts={[
            { label: 'Size', value: sizeWords(cvm.resource) },
            {
              label: 'While it runs',
              value: cvm.hourly_rate === null ? '—' : <Cost usd={cvm.hourly_rate} per="hour" />,
            },
            { label: 'If it runs all month', value: micros === null ? '—' : formatMonthly(micros) },
          ]}
        />
      </Panel>
      <LiveStats />
      {!isUp(cvm) && (
        <EmptyState link={{ label: 'Settings', href: link('settings') }}>
          Load, memory and disk are measured while it runs.
        </EmptyState>
      )}
    </>
  );
}
