import { ErrorNotice } from '../../../console/ui/feedback/ErrorNotice';
import { PageSkeleton } from '../../../console/ui/feedback/Skeletons';
import { StatusChip } from '../../../console/ui/feedback/StatusChip';
import { PageHeader } from '../../../console/ui/layout/PageHeader';
import { useCrumbs } from '../../frame/slots';
import { problemOf } from '../../http';
import { words } from '../../schema/labels';
import { useSession } from '../../session';
import { useChat } from './api';
import { Chats } from './Chats';
import { Token } from './Token';

/** The chat bot: its token, the chats it is linked to, and what each of them is told. */
export function ChatIntegration() {
  const { environment, platform_permissions } = useSession();
  const service = words(environment.chat_bot_service);
  const { data, error, refetch } = useChat();
  useCrumbs([{ label: `${service} integration` }]);
  const mayWrite = platform_permissions.includes('admin.chat.write');
  return (
    <>
      <PageHeader
        title={`${service} integration`}
        subtitle="A bot that tells the people who run this cloud what needs them, and answers /status, /cvms and /ack."
        {...(data ? { status: <StatusChip status={data.state} /> } : {})}
      />
      {error && !data ? (
        <ErrorNotice problem={problemOf(error, 'The chat bot could not be read', () => void refetch())} />
      ) : !data ? (
        <PageSkeleton part label="Loading the chat bot" rows={3} />
      ) : (
        <>
          <Token chat={data} service={service} mayWrite={mayWrite} />
          <Chats chat={data} mayWrite={mayWrite} />
        </>
      )}
    </>
  );
}
