// This file is written by `npm run codegen` from openapi/ and the files of server/operations. Do not edit.

import { acceptInvitation } from './teams/invitations/acceptInvitation';
import { acknowledgeAdminAlert } from './platform/acknowledgeAdminAlert';
import { allowTeepodTeam } from './hosts/allowTeepodTeam';
import { approveAdminFinanceAction } from './billing/approvals/approveAdminFinanceAction';
import { attachAdminGpu } from './hosts/gpus/attachAdminGpu';
import { batchStopCvms } from './cvms/lifecycle/batchStopCvms';
import { callMcpTool } from './mcp/callMcpTool';
import { cancelAdminBulkJob } from './platform/lists/cancelAdminBulkJob';
import { cancelAdminDrain } from './hosts/drains/cancelAdminDrain';
import { cancelAdminOrder } from './billing/admin/cancelAdminOrder';
import { cancelAdminQueueJob } from './platform/cancelAdminQueueJob';
import { cancelCvmOperation } from './activity/cancelCvmOperation';
import { cancelEmailChange } from './accounts/cancelEmailChange';
import { cancelOperation } from './activity/cancelOperation';
import { cancelOrder } from './billing/orders/cancelOrder';
import { cancelPendingSignIn } from './accounts/signIn/cancelPendingSignIn';
import { cancelRollout } from './apps/cancelRollout';
import { cancelSsoLink } from './teams/sso/cancelSsoLink';
import { cancelTopUp } from './billing/cancelTopUp';
import { changePassword } from './accounts/changePassword';
import { checkAdminAiUpstream } from './ai/admin/checkAdminAiUpstream';
import { checkAdminKms } from './kms/admin/checkAdminKms';
import { checkAdminTeepod } from './hosts/checkAdminTeepod';
import { checkAppCvmsIsAllowed } from './apps/checkAppCvmsIsAllowed';
import { checkAppIsAllowed } from './apps/checkAppIsAllowed';
import { checkCvmIsAllowed } from './apps/checkCvmIsAllowed';
import { checkCvmNetwork } from './network/checkCvmNetwork';
import { checkInvitation } from './teams/invitations/checkInvitation';
import { checkNewTeepod } from './hosts/checkNewTeepod';
import { checkPasswordReset } from './accounts/signIn/checkPasswordReset';
import { checkProvisionContract } from './cvms/deploy/checkProvisionContract';
import { checkPublicAppDomain } from './public/checkPublicAppDomain';
import { commitApproval } from './apps/commitApproval';
import { commitCvmComposeFile } from './cvms/deploy/commitCvmComposeFile';
import { commitCvmReplica } from './cvms/deploy/commitCvmReplica';
import { commitCvmUpdate } from './cvms/deploy/commitCvmUpdate';
import { completeSecondFactor } from './accounts/signIn/completeSecondFactor';
import { confirmAdminPayment } from './billing/admin/confirmAdminPayment';
import { confirmAppWatch } from './public/confirmAppWatch';
import { confirmSsoLink } from './teams/sso/confirmSsoLink';
import { confirmTotp } from './accounts/confirmTotp';
import { cordonAdminTeepod } from './hosts/drains/cordonAdminTeepod';
import { countAnnouncementAudience } from './announcements/admin/countAnnouncementAudience';
import { createAdminAdjustment } from './billing/admin/createAdminAdjustment';
import { createAdminAiGateway } from './ai/admin/createAdminAiGateway';
import { createAdminAiModel } from './ai/admin/createAdminAiModel';
import { createAdminAiUpstream } from './ai/admin/createAdminAiUpstream';
import { createAdminAnnouncement } from './announcements/admin/createAdminAnnouncement';
import { createAdminAuditDestination } from './audit/admin/createAdminAuditDestination';
import { createAdminBulkJob } from './platform/lists/createAdminBulkJob';
import { createAdminChatCode } from './platform/createAdminChatCode';
import { createAdminCredit } from './billing/admin/createAdminCredit';
import { createAdminCreditNote } from './billing/admin/createAdminCreditNote';
import { createAdminGateway } from './hosts/gateways/createAdminGateway';
import { createAdminGpu } from './hosts/gpus/createAdminGpu';
import { createAdminInstanceType } from './catalog/admin/createAdminInstanceType';
import { createAdminKms } from './kms/admin/createAdminKms';
import { createAdminKmsContract } from './kms/admin/createAdminKmsContract';
import { createAdminKmsWebhook } from './kms/admin/createAdminKmsWebhook';
import { createAdminMaintenanceWindow } from './hosts/maintenance/createAdminMaintenanceWindow';
import { createAdminNode } from './hosts/createAdminNode';
import { createAdminOrderProduct } from './billing/admin/createAdminOrderProduct';
import { createAdminPromotionCode } from './billing/admin/createAdminPromotionCode';
import { createAdminTeepod } from './hosts/createAdminTeepod';
import { createAdminTemplate } from './catalog/admin/createAdminTemplate';
import { createAdminView } from './platform/lists/createAdminView';
import { createAiKey } from './ai/createAiKey';
import { createApiToken } from './teams/tokens/createApiToken';
import { createAppInstance } from './apps/createAppInstance';
import { createBreakGlassSession } from './accounts/staffSso/createBreakGlassSession';
import { createBudget } from './billing/budgets/createBudget';
import { createCvm } from './cvms/deploy/createCvm';
import { createCvmDomain } from './network/createCvmDomain';
import { createCvmReplica } from './cvms/deploy/createCvmReplica';
import { createDeviceCode } from './accounts/signIn/createDeviceCode';
import { createDeviceToken } from './accounts/signIn/createDeviceToken';
import { createInvitation } from './teams/invitations/createInvitation';
import { createOrder } from './billing/orders/createOrder';
import { createPasskey } from './accounts/createPasskey';
import { createPasskeyChallenge } from './accounts/signIn/createPasskeyChallenge';
import { createPasskeyRegistration } from './accounts/createPasskeyRegistration';
import { createPasskeySession } from './accounts/signIn/createPasskeySession';
import { createRecoveryCodes } from './accounts/createRecoveryCodes';
import { createRollout } from './apps/createRollout';
import { createScimToken } from './teams/scim/createScimToken';
import { createSecondFactorChallenge } from './accounts/signIn/createSecondFactorChallenge';
import { createSession } from './accounts/signIn/createSession';
import { createSshKey } from './accounts/sshKeys/createSshKey';
import { createStepUpChallenge } from './accounts/signIn/createStepUpChallenge';
import { createTeamTemplate } from './catalog/teamTemplates/createTeamTemplate';
import { createTopUp } from './billing/createTopUp';
import { createTotp } from './accounts/createTotp';
import { createUsdcAddress } from './billing/usdc/createUsdcAddress';
import { createVault } from './vault/createVault';
import { createVaultLock } from './vault/createVaultLock';
import { createWalletMessage } from './accounts/wallets/createWalletMessage';
import { createWebhook } from './webhooks/createWebhook';
import { createWorkspace } from './teams/createWorkspace';
import { decideAdminDrainCvm } from './hosts/drains/decideAdminDrainCvm';
import { decideDeviceAuthorization } from './accounts/signIn/decideDeviceAuthorization';
import { declineInvitation } from './teams/invitations/declineInvitation';
import { deleteAccount } from './accounts/deleteAccount';
import { deleteAccountSession } from './accounts/deleteAccountSession';
import { deleteAdminAiGateway } from './ai/admin/deleteAdminAiGateway';
import { deleteAdminAiModel } from './ai/admin/deleteAdminAiModel';
import { deleteAdminAiUpstream } from './ai/admin/deleteAdminAiUpstream';
import { deleteAdminAnnouncement } from './announcements/admin/deleteAdminAnnouncement';
import { deleteAdminAuditDestination } from './audit/admin/deleteAdminAuditDestination';
import { deleteAdminChatLink } from './platform/deleteAdminChatLink';
import { deleteAdminChatToken } from './platform/deleteAdminChatToken';
import { deleteAdminGateway } from './hosts/gateways/deleteAdminGateway';
import { deleteAdminGpu } from './hosts/gpus/deleteAdminGpu';
import { deleteAdminInstanceType } from './catalog/admin/deleteAdminInstanceType';
import { deleteAdminKms } from './kms/admin/deleteAdminKms';
import { deleteAdminKmsContract } from './kms/admin/deleteAdminKmsContract';
import { deleteAdminMaintenanceWindow } from './hosts/maintenance/deleteAdminMaintenanceWindow';
import { deleteAdminNode } from './hosts/deleteAdminNode';
import { deleteAdminTeepod } from './hosts/deleteAdminTeepod';
import { deleteAdminTemplate } from './catalog/admin/deleteAdminTemplate';
import { deleteAdminView } from './platform/lists/deleteAdminView';
import { deleteAdminWorkspace } from './teams/admin/deleteAdminWorkspace';
import { deleteBudget } from './billing/budgets/deleteBudget';
import { deleteCard } from './billing/deleteCard';
import { deleteCvm } from './cvms/lifecycle/deleteCvm';
import { deleteCvmDomain } from './network/deleteCvmDomain';
import { deleteGpuWait } from './hosts/gpus/deleteGpuWait';
import { deleteMember } from './teams/deleteMember';
import { deleteOtherSessions } from './accounts/deleteOtherSessions';
import { deletePasskey } from './accounts/deletePasskey';
import { deleteScimToken } from './teams/scim/deleteScimToken';
import { deleteSecretCopies } from './vault/deleteSecretCopies';
import { deleteSession } from './accounts/signIn/deleteSession';
import { deleteSshKey } from './accounts/sshKeys/deleteSshKey';
import { deleteSso } from './teams/sso/deleteSso';
import { deleteTeamTemplate } from './catalog/teamTemplates/deleteTeamTemplate';
import { deleteTeepodImage } from './hosts/images/deleteTeepodImage';
import { deleteTotp } from './accounts/deleteTotp';
import { deleteVault } from './vault/deleteVault';
import { deleteVaultLock } from './vault/deleteVaultLock';
import { deleteWebhook } from './webhooks/deleteWebhook';
import { deleteWorkspace } from './teams/deleteWorkspace';
import { delistAdminAbuseReport } from './public/admin/delistAdminAbuseReport';
import { deployAdminAiGateway } from './ai/admin/deployAdminAiGateway';
import { deployPreflight } from './cvms/deploy/deployPreflight';
import { detachAdminGpu } from './hosts/gpus/detachAdminGpu';
import { diagnoseCvmDomain } from './network/diagnoseCvmDomain';
import { disallowTeepodTeam } from './hosts/disallowTeepodTeam';
import { discoverSso } from './teams/sso/discoverSso';
import { dismissAdminAbuseReport } from './public/admin/dismissAdminAbuseReport';
import { dismissAnnouncement } from './announcements/dismissAnnouncement';
import { downloadAdminInvoice } from './billing/admin/downloadAdminInvoice';
import { downloadEInvoice } from './billing/invoices/downloadEInvoice';
import { downloadInvoice } from './billing/invoices/downloadInvoice';
import { downloadStatement } from './billing/invoices/downloadStatement';
import { drainAdminTeepod } from './hosts/drains/drainAdminTeepod';
import { endAdminAnnouncement } from './announcements/admin/endAdminAnnouncement';
import { endAdminUserSessions } from './accounts/admin/endAdminUserSessions';
import { endAppWatch } from './public/endAppWatch';
import { endViewAs } from './platform/endViewAs';
import { estimateTransactionFee } from './kms/estimateTransactionFee';
import { exportAccount } from './accounts/exportAccount';
import { exportAiRequests } from './ai/exportAiRequests';
import { exportAppUsage } from './billing/usageFiles/exportAppUsage';
import { exportAuditEntries } from './audit/exportAuditEntries';
import { exportCvmMetrics } from './metrics/exportCvmMetrics';
import { exportCvmUsage } from './billing/usageFiles/exportCvmUsage';
import { exportEvents } from './activity/exportEvents';
import { exportRollouts } from './apps/exportRollouts';
import { exportTeamUsage } from './billing/usageFiles/exportTeamUsage';
import { exportTransactions } from './billing/exportTransactions';
import { exportWebhookDeliveries } from './webhooks/exportWebhookDeliveries';
import { finishSso } from './teams/sso/finishSso';
import { getAccount } from './accounts/getAccount';
import { getAccountDeletion } from './accounts/getAccountDeletion';
import { getAdminAbuseReport } from './public/admin/getAdminAbuseReport';
import { getAdminAiGateway } from './ai/admin/getAdminAiGateway';
import { getAdminAiKey } from './ai/admin/getAdminAiKey';
import { getAdminAiModel } from './ai/admin/getAdminAiModel';
import { getAdminAiUpstream } from './ai/admin/getAdminAiUpstream';
import { getAdminAiUsage } from './ai/admin/getAdminAiUsage';
import { getAdminAlert } from './platform/getAdminAlert';
import { getAdminAnnouncement } from './announcements/admin/getAdminAnnouncement';
import { getAdminApp } from './apps/admin/getAdminApp';
import { getAdminApprovalLimit } from './billing/approvals/getAdminApprovalLimit';
import { getAdminAudit } from './audit/admin/getAdminAudit';
import { getAdminAuditDestination } from './audit/admin/getAdminAuditDestination';
import { getAdminBillingSettings } from './billing/settings/getAdminBillingSettings';
import { getAdminBulkJob } from './platform/lists/getAdminBulkJob';
import { getAdminChat } from './platform/getAdminChat';
import { getAdminCredit } from './billing/admin/getAdminCredit';
import { getAdminCvm } from './cvms/admin/getAdminCvm';
import { getAdminDrain } from './hosts/drains/getAdminDrain';
import { getAdminDrainCvm } from './hosts/drains/getAdminDrainCvm';
import { getAdminDrainPlan } from './hosts/drains/getAdminDrainPlan';
import { getAdminDuplicateVm } from './hosts/duplicates/getAdminDuplicateVm';
import { getAdminFinanceAction } from './billing/approvals/getAdminFinanceAction';
import { getAdminFleet } from './hosts/getAdminFleet';
import { getAdminGateway } from './hosts/gateways/getAdminGateway';
import { getAdminGatewayStatus } from './hosts/gateways/getAdminGatewayStatus';
import { getAdminGpu } from './hosts/gpus/getAdminGpu';
import { getAdminGpuEvent } from './hosts/gpus/getAdminGpuEvent';
import { getAdminInstanceEvent } from './activity/admin/getAdminInstanceEvent';
import { getAdminInstanceType } from './catalog/admin/getAdminInstanceType';
import { getAdminInvoice } from './billing/admin/getAdminInvoice';
import { getAdminKms } from './kms/admin/getAdminKms';
import { getAdminKmsContract } from './kms/admin/getAdminKmsContract';
import { getAdminLedger } from './billing/books/getAdminLedger';
import { getAdminLogLevel } from './platform/logLevel/getAdminLogLevel';
import { getAdminMaintenanceWindow } from './hosts/maintenance/getAdminMaintenanceWindow';
import { getAdminMonitoringEvent } from './platform/getAdminMonitoringEvent';
import { getAdminNode } from './hosts/getAdminNode';
import { getAdminOrder } from './billing/admin/getAdminOrder';
import { getAdminOrderProduct } from './billing/admin/getAdminOrderProduct';
import { getAdminOsImage } from './catalog/admin/getAdminOsImage';
import { getAdminOutbox } from './platform/getAdminOutbox';
import { getAdminPayment } from './billing/admin/getAdminPayment';
import { getAdminPromotionCode } from './billing/admin/getAdminPromotionCode';
import { getAdminQueue } from './platform/getAdminQueue';
import { getAdminQueueJob } from './platform/getAdminQueueJob';
import { getAdminSchedule } from './platform/getAdminSchedule';
import { getAdminSettings } from './platform/getAdminSettings';
import { getAdminSpend } from './billing/admin/getAdminSpend';
import { getAdminTeamFunds } from './billing/approvals/getAdminTeamFunds';
import { getAdminTeepod } from './hosts/getAdminTeepod';
import { getAdminTemplate } from './catalog/admin/getAdminTemplate';
import { getAdminTransaction } from './billing/admin/getAdminTransaction';
import { getAdminUser } from './accounts/admin/getAdminUser';
import { getAdminUserBilling } from './billing/books/getAdminUserBilling';
import { getAdminView } from './platform/lists/getAdminView';
import { getAdminWorker } from './platform/getAdminWorker';
import { getAdminWorkspace } from './teams/admin/getAdminWorkspace';
import { getAiCatalog } from './ai/getAiCatalog';
import { getAiGateway } from './ai/getAiGateway';
import { getAiUsage } from './ai/getAiUsage';
import { getApp } from './apps/getApp';
import { getAppAttestations } from './attestation/getAppAttestations';
import { getAppContract } from './apps/getAppContract';
import { getAppDeviceAllowlist } from './apps/getAppDeviceAllowlist';
import { getAppEnvPubkey } from './kms/getAppEnvPubkey';
import { getAppFilterOptions } from './apps/getAppFilterOptions';
import { getAppMetrics } from './metrics/getAppMetrics';
import { getAppRevision } from './apps/getAppRevision';
import { getAppTemplate } from './apps/getAppTemplate';
import { getAppUsage } from './billing/getAppUsage';
import { getAppsSummary } from './apps/getAppsSummary';
import { getBilling } from './billing/getBilling';
import { getBillingDetails } from './billing/invoices/getBillingDetails';
import { getCardSettings } from './billing/getCardSettings';
import { getContainerLogs } from './logs/getContainerLogs';
import { getCostForecast } from './billing/getCostForecast';
import { getCurrentUser } from './accounts/signIn/getCurrentUser';
import { getCvm } from './cvms/getCvm';
import { getCvmAttestation } from './cvms/getCvmAttestation';
import { getCvmComposeFile } from './cvms/getCvmComposeFile';
import { getCvmComposition } from './cvms/getCvmComposition';
import { getCvmCreateResources } from './hosts/getCvmCreateResources';
import { getCvmDockerCompose } from './cvms/getCvmDockerCompose';
import { getCvmEvidence } from './attestation/getCvmEvidence';
import { getCvmLogs } from './logs/getCvmLogs';
import { getCvmMetrics } from './metrics/getCvmMetrics';
import { getCvmModelServer } from './ai/getCvmModelServer';
import { getCvmNetwork } from './cvms/getCvmNetwork';
import { getCvmOperationStatus } from './cvms/getCvmOperationStatus';
import { getCvmPreLaunchScript } from './cvms/getCvmPreLaunchScript';
import { getCvmPrices } from './cvms/settings/getCvmPrices';
import { getCvmState } from './cvms/getCvmState';
import { getCvmStats } from './cvms/getCvmStats';
import { getCvmUsage } from './billing/getCvmUsage';
import { getCvmUserConfig } from './cvms/getCvmUserConfig';
import { getDebt } from './billing/getDebt';
import { getDeviceAuthorization } from './accounts/signIn/getDeviceAuthorization';
import { getEvent } from './activity/getEvent';
import { getGpuWait } from './hosts/gpus/getGpuWait';
import { getInstanceTypeFamily } from './catalog/getInstanceTypeFamily';
import { getInvoice } from './billing/invoices/getInvoice';
import { getKms } from './kms/getKms';
import { getKmsOnChain } from './kms/getKmsOnChain';
import { getNextAppIds } from './kms/getNextAppIds';
import { getNotificationSettings } from './notifications/getNotificationSettings';
import { getOperation } from './activity/getOperation';
import { getOrder } from './billing/orders/getOrder';
import { getPendingSignIn } from './accounts/signIn/getPendingSignIn';
import { getPublicApp } from './public/getPublicApp';
import { getPublicAppEvidence } from './public/getPublicAppEvidence';
import { getRollout } from './apps/getRollout';
import { getScim } from './teams/scim/getScim';
import { getSecondFactors } from './accounts/getSecondFactors';
import { getSession } from './accounts/signIn/getSession';
import { getSso } from './teams/sso/getSso';
import { getSsoLink } from './teams/sso/getSsoLink';
import { getStatusBatch } from './cvms/getStatusBatch';
import { getStepUp } from './accounts/signIn/getStepUp';
import { getTeamCost } from './billing/getTeamCost';
import { getTeamTemplate } from './catalog/teamTemplates/getTeamTemplate';
import { getTeamUsage } from './billing/getTeamUsage';
import { getTeepodHostImages } from './hosts/images/getTeepodHostImages';
import { getTeepodKms } from './hosts/getTeepodKms';
import { getTeepodPlacement } from './hosts/placement/getTeepodPlacement';
import { getTemplate } from './catalog/getTemplate';
import { getUsdcPayments } from './billing/usdc/getUsdcPayments';
import { getVault } from './vault/getVault';
import { getWebhook } from './webhooks/getWebhook';
import { getWebhookStats } from './webhooks/getWebhookStats';
import { getWorkspace } from './teams/getWorkspace';
import { getWorkspaceDeletion } from './teams/getWorkspaceDeletion';
import { getWorkspaceQuotas } from './teams/getWorkspaceQuotas';
import { giveUpAdminCvm } from './cvms/admin/giveUpAdminCvm';
import { giveUpCvm } from './cvms/lifecycle/giveUpCvm';
import { importGithubKeys } from './accounts/sshKeys/importGithubKeys';
import { inspectMcpServer } from './mcp/inspectMcpServer';
import { issueAdminAiGatewayTokens } from './ai/admin/issueAdminAiGatewayTokens';
import { issueAdminInvoice } from './billing/admin/issueAdminInvoice';
import { leaveWorkspace } from './teams/leaveWorkspace';
import { linkWallet } from './accounts/wallets/linkWallet';
import { listAccountSessions } from './accounts/listAccountSessions';
import { listAdminAbuseReports } from './public/admin/listAdminAbuseReports';
import { listAdminAiGateways } from './ai/admin/listAdminAiGateways';
import { listAdminAiKeys } from './ai/admin/listAdminAiKeys';
import { listAdminAiModels } from './ai/admin/listAdminAiModels';
import { listAdminAiUpstreams } from './ai/admin/listAdminAiUpstreams';
import { listAdminAiUsage } from './ai/admin/listAdminAiUsage';
import { listAdminAlerts } from './platform/listAdminAlerts';
import { listAdminAnnouncementUsers } from './announcements/admin/listAdminAnnouncementUsers';
import { listAdminAnnouncements } from './announcements/admin/listAdminAnnouncements';
import { listAdminApps } from './apps/admin/listAdminApps';
import { listAdminAudit } from './audit/admin/listAdminAudit';
import { listAdminAuditDestinations } from './audit/admin/listAdminAuditDestinations';
import { listAdminBulkJobRows } from './platform/lists/listAdminBulkJobRows';
import { listAdminBulkJobs } from './platform/lists/listAdminBulkJobs';
import { listAdminCredits } from './billing/admin/listAdminCredits';
import { listAdminCvms } from './cvms/admin/listAdminCvms';
import { listAdminDrainCvms } from './hosts/drains/listAdminDrainCvms';
import { listAdminDrains } from './hosts/drains/listAdminDrains';
import { listAdminDuplicateVms } from './hosts/duplicates/listAdminDuplicateVms';
import { listAdminFinanceActions } from './billing/approvals/listAdminFinanceActions';
import { listAdminGateways } from './hosts/gateways/listAdminGateways';
import { listAdminGpuEvents } from './hosts/gpus/listAdminGpuEvents';
import { listAdminGpus } from './hosts/gpus/listAdminGpus';
import { listAdminInstanceEvents } from './activity/admin/listAdminInstanceEvents';
import { listAdminInstanceTypes } from './catalog/admin/listAdminInstanceTypes';
import { listAdminInvoiceLines } from './billing/admin/listAdminInvoiceLines';
import { listAdminInvoices } from './billing/admin/listAdminInvoices';
import { listAdminKms } from './kms/admin/listAdminKms';
import { listAdminKmsContracts } from './kms/admin/listAdminKmsContracts';
import { listAdminMaintenanceWindows } from './hosts/maintenance/listAdminMaintenanceWindows';
import { listAdminMembers } from './teams/admin/listAdminMembers';
import { listAdminMonitoringEvents } from './platform/listAdminMonitoringEvents';
import { listAdminNodes } from './hosts/listAdminNodes';
import { listAdminOrderProducts } from './billing/admin/listAdminOrderProducts';
import { listAdminOrders } from './billing/admin/listAdminOrders';
import { listAdminOsImages } from './catalog/admin/listAdminOsImages';
import { listAdminOutbox } from './platform/listAdminOutbox';
import { listAdminPayments } from './billing/admin/listAdminPayments';
import { listAdminPromotionCodes } from './billing/admin/listAdminPromotionCodes';
import { listAdminQueueJobs } from './platform/listAdminQueueJobs';
import { listAdminQueues } from './platform/listAdminQueues';
import { listAdminSchedules } from './platform/listAdminSchedules';
import { listAdminTeepods } from './hosts/listAdminTeepods';
import { listAdminTemplates } from './catalog/admin/listAdminTemplates';
import { listAdminTransactions } from './billing/admin/listAdminTransactions';
import { listAdminUsage } from './billing/admin/listAdminUsage';
import { listAdminUsers } from './accounts/admin/listAdminUsers';
import { listAdminViews } from './platform/lists/listAdminViews';
import { listAdminWorkers } from './platform/listAdminWorkers';
import { listAdminWorkspaces } from './teams/admin/listAdminWorkspaces';
import { listAiKeys } from './ai/listAiKeys';
import { listAiRequests } from './ai/listAiRequests';
import { listAnnouncements } from './announcements/listAnnouncements';
import { listAppCvms } from './apps/listAppCvms';
import { listAppRevisions } from './apps/listAppRevisions';
import { listApprovals } from './apps/listApprovals';
import { listApps } from './apps/listApps';
import { listAuditEntries } from './audit/listAuditEntries';
import { listAvailableTeepods } from './hosts/listAvailableTeepods';
import { listBudgets } from './billing/budgets/listBudgets';
import { listCredits } from './billing/listCredits';
import { listCvmDomains } from './network/listCvmDomains';
import { listCvmOperations } from './activity/listCvmOperations';
import { listCvmOsImages } from './cvms/listCvmOsImages';
import { listCvmsPaginated } from './cvms/listCvmsPaginated';
import { listEvents } from './activity/listEvents';
import { listHostedCvms } from './hosts/listHostedCvms';
import { listInstanceTypes } from './catalog/listInstanceTypes';
import { listInvitations } from './teams/invitations/listInvitations';
import { listInvoiceLines } from './billing/invoices/listInvoiceLines';
import { listInvoices } from './billing/invoices/listInvoices';
import { listKms } from './kms/listKms';
import { listKmsNodes } from './kms/listKmsNodes';
import { listManagedCvms } from './hosts/listManagedCvms';
import { listMembers } from './teams/listMembers';
import { listNotifications } from './notifications/listNotifications';
import { listOperations } from './activity/listOperations';
import { listOrderProducts } from './billing/orders/listOrderProducts';
import { listOrders } from './billing/orders/listOrders';
import { listOsImages } from './catalog/listOsImages';
import { listPublicApps } from './public/listPublicApps';
import { listRecycledCvms } from './cvms/lifecycle/listRecycledCvms';
import { listRollouts } from './apps/listRollouts';
import { listSecretCopies } from './vault/listSecretCopies';
import { listSshKeys } from './accounts/sshKeys/listSshKeys';
import { listTeamAiModels } from './ai/listTeamAiModels';
import { listTeamTemplates } from './catalog/teamTemplates/listTeamTemplates';
import { listTeepodOsImages } from './hosts/listTeepodOsImages';
import { listTeepodTeams } from './hosts/listTeepodTeams';
import { listTemplates } from './catalog/listTemplates';
import { listTokens } from './teams/tokens/listTokens';
import { listTopUps } from './billing/listTopUps';
import { listTransactions } from './billing/listTransactions';
import { listWallets } from './accounts/wallets/listWallets';
import { listWebhookDeliveries } from './webhooks/listWebhookDeliveries';
import { listWebhooks } from './webhooks/listWebhooks';
import { listWorkspaceNodes } from './hosts/listWorkspaceNodes';
import { listWorkspaces } from './teams/listWorkspaces';
import { markAdminGpuFaulty } from './hosts/gpus/markAdminGpuFaulty';
import { markNotificationsRead } from './notifications/markNotificationsRead';
import { openAppWatch } from './public/openAppWatch';
import { openCardSetup } from './billing/openCardSetup';
import { openCheckout } from './billing/openCheckout';
import { openUnsubscribe } from './notifications/openUnsubscribe';
import { patchCvm } from './cvms/settings/patchCvm';
import { pauseAdminAuditDestination } from './audit/admin/pauseAdminAuditDestination';
import { protectCvm } from './cvms/settings/protectCvm';
import { provisionCvm } from './cvms/deploy/provisionCvm';
import { provisionCvmComposeFile } from './cvms/deploy/provisionCvmComposeFile';
import { publishAdminAnnouncement } from './announcements/admin/publishAdminAnnouncement';
import { publishCvmModelServer } from './ai/publishCvmModelServer';
import { publishTeamAiModel } from './ai/publishTeamAiModel';
import { pullTeepodImage } from './hosts/images/pullTeepodImage';
import { purgeRecycledCvm } from './cvms/lifecycle/purgeRecycledCvm';
import { putGpuWait } from './hosts/gpus/putGpuWait';
import { putSecretCopy } from './vault/putSecretCopy';
import { putSso } from './teams/sso/putSso';
import { reactivateAdminUser } from './accounts/admin/reactivateAdminUser';
import { readAdminKmsContract } from './kms/admin/readAdminKmsContract';
import { readMcpUsage } from './mcp/readMcpUsage';
import { redeemPromotionCode } from './billing/redeemPromotionCode';
import { redeployAppRevision } from './apps/redeployAppRevision';
import { redeployCvmRevision } from './cvms/settings/redeployCvmRevision';
import { refreshCvmInstanceId } from './cvms/refreshCvmInstanceId';
import { refreshCvmInstanceIds } from './cvms/refreshCvmInstanceIds';
import { refundAdminOrder } from './billing/admin/refundAdminOrder';
import { refundAdminPayment } from './billing/admin/refundAdminPayment';
import { registerUser } from './accounts/signIn/registerUser';
import { reinstateAdminAbuseReport } from './public/admin/reinstateAdminAbuseReport';
import { rejectAdminFinanceAction } from './billing/approvals/rejectAdminFinanceAction';
import { rejectAdminPayment } from './billing/admin/rejectAdminPayment';
import { releaseAdminGpu } from './hosts/gpus/releaseAdminGpu';
import { reloadAdminTemplate } from './catalog/admin/reloadAdminTemplate';
import { removeAdminDuplicateVm } from './hosts/duplicates/removeAdminDuplicateVm';
import { renameCvm } from './cvms/settings/renameCvm';
import { repairAdminGpu } from './hosts/gpus/repairAdminGpu';
import { repairAdminTeepod } from './hosts/repairAdminTeepod';
import { reportPublicApp } from './public/reportPublicApp';
import { requestEmailChange } from './accounts/requestEmailChange';
import { requestPasswordReset } from './accounts/signIn/requestPasswordReset';
import { resendAdminUserVerification } from './accounts/admin/resendAdminUserVerification';
import { resendInvitation } from './teams/invitations/resendInvitation';
import { resendVerification } from './accounts/signIn/resendVerification';
import { resendWebhookDelivery } from './webhooks/resendWebhookDelivery';
import { reserveAdminGpu } from './hosts/gpus/reserveAdminGpu';
import { resetAdminLogLevel } from './platform/logLevel/resetAdminLogLevel';
import { resetAdminUserSecondFactor } from './accounts/admin/resetAdminUserSecondFactor';
import { resetPassword } from './accounts/signIn/resetPassword';
import { restartAdminCvm } from './cvms/admin/restartAdminCvm';
import { restartCvm } from './cvms/lifecycle/restartCvm';
import { restoreCvm } from './cvms/lifecycle/restoreCvm';
import { resumeAdminAuditDestination } from './audit/admin/resumeAdminAuditDestination';
import { retireAdminKmsKey } from './kms/admin/retireAdminKmsKey';
import { retryAdminOutbox } from './platform/retryAdminOutbox';
import { retryAdminQueueJob } from './platform/retryAdminQueueJob';
import { revealWebhookSecret } from './webhooks/revealWebhookSecret';
import { reverseAdminPayment } from './billing/admin/reverseAdminPayment';
import { revokeAdminCredit } from './billing/admin/revokeAdminCredit';
import { revokeAdminKmsWebhook } from './kms/admin/revokeAdminKmsWebhook';
import { revokeAiKey } from './ai/revokeAiKey';
import { revokeApiToken } from './teams/tokens/revokeApiToken';
import { revokeInvitation } from './teams/invitations/revokeInvitation';
import { rotateAiKey } from './ai/rotateAiKey';
import { rotateWebhookSecret } from './webhooks/rotateWebhookSecret';
import { scheduleCvmDelete } from './cvms/settings/scheduleCvmDelete';
import { scheduleCvmStop } from './cvms/settings/scheduleCvmStop';
import { sendAgentMessage } from './network/sendAgentMessage';
import { setAdminChatToken } from './platform/setAdminChatToken';
import { setAdminLogLevel } from './platform/logLevel/setAdminLogLevel';
import { setAutoTopUp } from './billing/setAutoTopUp';
import { setCvmListed } from './cvms/settings/setCvmListed';
import { setCvmMovable } from './cvms/settings/setCvmMovable';
import { setDefaultWorkspace } from './teams/setDefaultWorkspace';
import { shutdownAdminCvm } from './cvms/admin/shutdownAdminCvm';
import { shutdownCvm } from './cvms/lifecycle/shutdownCvm';
import { startAdminCvm } from './cvms/admin/startAdminCvm';
import { startBudgetCvms } from './billing/budgets/startBudgetCvms';
import { startCvm } from './cvms/lifecycle/startCvm';
import { startSso } from './teams/sso/startSso';
import { stepUp } from './accounts/signIn/stepUp';
import { stopAdminCvm } from './cvms/admin/stopAdminCvm';
import { stopCvm } from './cvms/lifecycle/stopCvm';
import { streamEvents } from './activity/streamEvents';
import { suspendAdminUser } from './accounts/admin/suspendAdminUser';
import { syncGithubKeys } from './accounts/sshKeys/syncGithubKeys';
import { testAdminAuditDestination } from './audit/admin/testAdminAuditDestination';
import { testAdminChatLink } from './platform/testAdminChatLink';
import { testSso } from './teams/sso/testSso';
import { testWebhook } from './webhooks/testWebhook';
import { transferWorkspace } from './teams/transferWorkspace';
import { tryAdminKmsContractApp } from './kms/admin/tryAdminKmsContractApp';
import { uncordonAdminTeepod } from './hosts/drains/uncordonAdminTeepod';
import { unlinkSso } from './accounts/unlinkSso';
import { unlinkWallet } from './accounts/wallets/unlinkWallet';
import { unprotectCvm } from './cvms/settings/unprotectCvm';
import { unsubscribe } from './notifications/unsubscribe';
import { updateAccount } from './accounts/updateAccount';
import { updateAdminAiGateway } from './ai/admin/updateAdminAiGateway';
import { updateAdminAiModel } from './ai/admin/updateAdminAiModel';
import { updateAdminAiUpstream } from './ai/admin/updateAdminAiUpstream';
import { updateAdminAnnouncement } from './announcements/admin/updateAdminAnnouncement';
import { updateAdminAuditDestination } from './audit/admin/updateAdminAuditDestination';
import { updateAdminBillingSettings } from './billing/settings/updateAdminBillingSettings';
import { updateAdminChatLink } from './platform/updateAdminChatLink';
import { updateAdminGateway } from './hosts/gateways/updateAdminGateway';
import { updateAdminGpu } from './hosts/gpus/updateAdminGpu';
import { updateAdminInstanceType } from './catalog/admin/updateAdminInstanceType';
import { updateAdminKms } from './kms/admin/updateAdminKms';
import { updateAdminKmsContract } from './kms/admin/updateAdminKmsContract';
import { updateAdminMaintenanceWindow } from './hosts/maintenance/updateAdminMaintenanceWindow';
import { updateAdminNode } from './hosts/updateAdminNode';
import { updateAdminOrderProduct } from './billing/admin/updateAdminOrderProduct';
import { updateAdminOsImage } from './catalog/admin/updateAdminOsImage';
import { updateAdminPromotionCode } from './billing/admin/updateAdminPromotionCode';
import { updateAdminSettings } from './platform/updateAdminSettings';
import { updateAdminTeepod } from './hosts/updateAdminTeepod';
import { updateAdminTemplate } from './catalog/admin/updateAdminTemplate';
import { updateAdminUser } from './accounts/admin/updateAdminUser';
import { updateAdminView } from './platform/lists/updateAdminView';
import { updateAdminWorkspace } from './teams/admin/updateAdminWorkspace';
import { updateAiKey } from './ai/updateAiKey';
import { updateApiToken } from './teams/tokens/updateApiToken';
import { updateBillingDetails } from './billing/invoices/updateBillingDetails';
import { updateBudget } from './billing/budgets/updateBudget';
import { updateCvmEnvs } from './cvms/settings/updateCvmEnvs';
import { updateCvmOsImage } from './cvms/settings/updateCvmOsImage';
import { updateCvmResources } from './cvms/settings/updateCvmResources';
import { updateCvmVisibility } from './cvms/settings/updateCvmVisibility';
import { updateDockerCompose } from './cvms/settings/updateDockerCompose';
import { updateMember } from './teams/updateMember';
import { updateNotificationPreferences } from './notifications/updateNotificationPreferences';
import { updateNotificationSettings } from './notifications/updateNotificationSettings';
import { updateOrder } from './billing/orders/updateOrder';
import { updatePasskey } from './accounts/updatePasskey';
import { updatePreLaunchScript } from './cvms/settings/updatePreLaunchScript';
import { updateTeamAiModel } from './ai/updateTeamAiModel';
import { updateTeamTemplate } from './catalog/teamTemplates/updateTeamTemplate';
import { updateWebhook } from './webhooks/updateWebhook';
import { updateWorkspace } from './teams/updateWorkspace';
import { verifyAdminAudit } from './audit/admin/verifyAdminAudit';
import { verifyCvmDomain } from './network/verifyCvmDomain';
import { verifyEmail } from './accounts/signIn/verifyEmail';
import { verifySsoDomain } from './teams/sso/verifySsoDomain';
import { viewAsAdminUser } from './platform/viewAsAdminUser';
import { voidAdminInvoice } from './billing/admin/voidAdminInvoice';
import { watchPublicApp } from './public/watchPublicApp';
import { watchPublicAppByWebhook } from './public/watchPublicAppByWebhook';
import { withdrawApproval } from './apps/withdrawApproval';
import { withdrawTeamAiModel } from './ai/withdrawTeamAiModel';
import { writeOffAdminInvoice } from './billing/admin/writeOffAdminInvoice';
import type { Handlers } from './types';

/** Maps every operation to its handler. A missing handler is a type error. */
export const handlers: Handlers = {
  acceptInvitation,
  acknowledgeAdminAlert,
  allowTeepodTeam,
  approveAdminFinanceAction,
  attachAdminGpu,
  batchStopCvms,
  callMcpTool,
  cancelAdminBulkJob,
  cancelAdminDrain,
  cancelAdminOrder,
  cancelAdminQueueJob,
  cancelCvmOperation,
  cancelEmailChange,
  cancelOperation,
  cancelOrder,
  cancelPendingSignIn,
  cancelRollout,
  cancelSsoLink,
  cancelTopUp,
  changePassword,
  checkAdminAiUpstream,
  checkAdminKms,
  checkAdminTeepod,
  checkAppCvmsIsAllowed,
  checkAppIsAllowed,
  checkCvmIsAllowed,
  checkCvmNetwork,
  checkInvitation,
  checkNewTeepod,
  checkPasswordReset,
  checkProvisionContract,
  checkPublicAppDomain,
  commitApproval,
  commitCvmComposeFile,
  commitCvmReplica,
  commitCvmUpdate,
  completeSecondFactor,
  confirmAdminPayment,
  confirmAppWatch,
  confirmSsoLink,
  confirmTotp,
  cordonAdminTeepod,
  countAnnouncementAudience,
  createAdminAdjustment,
  createAdminAiGateway,
  createAdminAiModel,
  createAdminAiUpstream,
  createAdminAnnouncement,
  createAdminAuditDestination,
  createAdminBulkJob,
  createAdminChatCode,
  createAdminCredit,
  createAdminCreditNote,
  createAdminGateway,
  createAdminGpu,
  createAdminInstanceType,
  createAdminKms,
  createAdminKmsContract,
  createAdminKmsWebhook,
  createAdminMaintenanceWindow,
  createAdminNode,
  createAdminOrderProduct,
  createAdminPromotionCode,
  createAdminTeepod,
  createAdminTemplate,
  createAdminView,
  createAiKey,
  createApiToken,
  createAppInstance,
  createBreakGlassSession,
  createBudget,
  createCvm,
  createCvmDomain,
  createCvmReplica,
  createDeviceCode,
  createDeviceToken,
  createInvitation,
  createOrder,
  createPasskey,
  createPasskeyChallenge,
  createPasskeyRegistration,
  createPasskeySession,
  createRecoveryCodes,
  createRollout,
  createScimToken,
  createSecondFactorChallenge,
  createSession,
  createSshKey,
  createStepUpChallenge,
  createTeamTemplate,
  createTopUp,
  createTotp,
  createUsdcAddress,
  createVault,
  createVaultLock,
  createWalletMessage,
  createWebhook,
  createWorkspace,
  decideAdminDrainCvm,
  decideDeviceAuthorization,
  declineInvitation,
  deleteAccount,
  deleteAccountSession,
  deleteAdminAiGateway,
  deleteAdminAiModel,
  deleteAdminAiUpstream,
  deleteAdminAnnouncement,
  deleteAdminAuditDestination,
  deleteAdminChatLink,
  deleteAdminChatToken,
  deleteAdminGateway,
  deleteAdminGpu,
  deleteAdminInstanceType,
  deleteAdminKms,
  deleteAdminKmsContract,
  deleteAdminMaintenanceWindow,
  deleteAdminNode,
  deleteAdminTeepod,
  deleteAdminTemplate,
  deleteAdminView,
  deleteAdminWorkspace,
  deleteBudget,
  deleteCard,
  deleteCvm,
  deleteCvmDomain,
  deleteGpuWait,
  deleteMember,
  deleteOtherSessions,
  deletePasskey,
  deleteScimToken,
  deleteSecretCopies,
  deleteSession,
  deleteSshKey,
  deleteSso,
  deleteTeamTemplate,
  deleteTeepodImage,
  deleteTotp,
  deleteVault,
  deleteVaultLock,
  deleteWebhook,
  deleteWorkspace,
  delistAdminAbuseReport,
  deployAdminAiGateway,
  deployPreflight,
  detachAdminGpu,
  diagnoseCvmDomain,
  disallowTeepodTeam,
  discoverSso,
  dismissAdminAbuseReport,
  dismissAnnouncement,
  downloadAdminInvoice,
  downloadEInvoice,
  downloadInvoice,
  downloadStatement,
  drainAdminTeepod,
  endAdminAnnouncement,
  endAdminUserSessions,
  endAppWatch,
  endViewAs,
  estimateTransactionFee,
  exportAccount,
  exportAiRequests,
  exportAppUsage,
  exportAuditEntries,
  exportCvmMetrics,
  exportCvmUsage,
  exportEvents,
  exportRollouts,
  exportTeamUsage,
  exportTransactions,
  exportWebhookDeliveries,
  finishSso,
  getAccount,
  getAccountDeletion,
  getAdminAbuseReport,
  getAdminAiGateway,
  getAdminAiKey,
  getAdminAiModel,
  getAdminAiUpstream,
  getAdminAiUsage,
  getAdminAlert,
  getAdminAnnouncement,
  getAdminApp,
  getAdminApprovalLimit,
  getAdminAudit,
  getAdminAuditDestination,
  getAdminBillingSettings,
  getAdminBulkJob,
  getAdminChat,
  getAdminCredit,
  getAdminCvm,
  getAdminDrain,
  getAdminDrainCvm,
  getAdminDrainPlan,
  getAdminDuplicateVm,
  getAdminFinanceAction,
  getAdminFleet,
  getAdminGateway,
  getAdminGatewayStatus,
  getAdminGpu,
  getAdminGpuEvent,
  getAdminInstanceEvent,
  getAdminInstanceType,
  getAdminInvoice,
  getAdminKms,
  getAdminKmsContract,
  getAdminLedger,
  getAdminLogLevel,
  getAdminMaintenanceWindow,
  getAdminMonitoringEvent,
  getAdminNode,
  getAdminOrder,
  getAdminOrderProduct,
  getAdminOsImage,
  getAdminOutbox,
  getAdminPayment,
  getAdminPromotionCode,
  getAdminQueue,
  getAdminQueueJob,
  getAdminSchedule,
  getAdminSettings,
  getAdminSpend,
  getAdminTeamFunds,
  getAdminTeepod,
  getAdminTemplate,
  getAdminTransaction,
  getAdminUser,
  getAdminUserBilling,
  getAdminView,
  getAdminWorker,
  getAdminWorkspace,
  getAiCatalog,
  getAiGateway,
  getAiUsage,
  getApp,
  getAppAttestations,
  getAppContract,
  getAppDeviceAllowlist,
  getAppEnvPubkey,
  getAppFilterOptions,
  getAppMetrics,
  getAppRevision,
  getAppTemplate,
  getAppUsage,
  getAppsSummary,
  getBilling,
  getBillingDetails,
  getCardSettings,
  getContainerLogs,
  getCostForecast,
  getCurrentUser,
  getCvm,
  getCvmAttestation,
  getCvmComposeFile,
  getCvmComposition,
  getCvmCreateResources,
  getCvmDockerCompose,
  getCvmEvidence,
  getCvmLogs,
  getCvmMetrics,
  getCvmModelServer,
  getCvmNetwork,
  getCvmOperationStatus,
  getCvmPreLaunchScript,
  getCvmPrices,
  getCvmState,
  getCvmStats,
  getCvmUsage,
  getCvmUserConfig,
  getDebt,
  getDeviceAuthorization,
  getEvent,
  getGpuWait,
  getInstanceTypeFamily,
  getInvoice,
  getKms,
  getKmsOnChain,
  getNextAppIds,
  getNotificationSettings,
  getOperation,
  getOrder,
  getPendingSignIn,
  getPublicApp,
  getPublicAppEvidence,
  getRollout,
  getScim,
  getSecondFactors,
  getSession,
  getSso,
  getSsoLink,
  getStatusBatch,
  getStepUp,
  getTeamCost,
  getTeamTemplate,
  getTeamUsage,
  getTeepodHostImages,
  getTeepodKms,
  getTeepodPlacement,
  getTemplate,
  getUsdcPayments,
  getVault,
  getWebhook,
  getWebhookStats,
  getWorkspace,
  getWorkspaceDeletion,
  getWorkspaceQuotas,
  giveUpAdminCvm,
  giveUpCvm,
  importGithubKeys,
  inspectMcpServer,
  issueAdminAiGatewayTokens,
  issueAdminInvoice,
  leaveWorkspace,
  linkWallet,
  listAccountSessions,
  listAdminAbuseReports,
  listAdminAiGateways,
  listAdminAiKeys,
  listAdminAiModels,
  listAdminAiUpstreams,
  listAdminAiUsage,
  listAdminAlerts,
  listAdminAnnouncementUsers,
  listAdminAnnouncements,
  listAdminApps,
  listAdminAudit,
  listAdminAuditDestinations,
  listAdminBulkJobRows,
  listAdminBulkJobs,
  listAdminCredits,
  listAdminCvms,
  listAdminDrainCvms,
  listAdminDrains,
  listAdminDuplicateVms,
  listAdminFinanceActions,
  listAdminGateways,
  listAdminGpuEvents,
  listAdminGpus,
  listAdminInstanceEvents,
  listAdminInstanceTypes,
  listAdminInvoiceLines,
  listAdminInvoices,
  listAdminKms,
  listAdminKmsContracts,
  listAdminMaintenanceWindows,
  listAdminMembers,
  listAdminMonitoringEvents,
  listAdminNodes,
  listAdminOrderProducts,
  listAdminOrders,
  listAdminOsImages,
  listAdminOutbox,
  listAdminPayments,
  listAdminPromotionCodes,
  listAdminQueueJobs,
  listAdminQueues,
  listAdminSchedules,
  listAdminTeepods,
  listAdminTemplates,
  listAdminTransactions,
  listAdminUsage,
  listAdminUsers,
  listAdminViews,
  listAdminWorkers,
  listAdminWorkspaces,
  listAiKeys,
  listAiRequests,
  listAnnouncements,
  listAppCvms,
  listAppRevisions,
  listApprovals,
  listApps,
  listAuditEntries,
  listAvailableTeepods,
  listBudgets,
  listCredits,
  listCvmDomains,
  listCvmOperations,
  listCvmOsImages,
  listCvmsPaginated,
  listEvents,
  listHostedCvms,
  listInstanceTypes,
  listInvitations,
  listInvoiceLines,
  listInvoices,
  listKms,
  listKmsNodes,
  listManagedCvms,
  listMembers,
  listNotifications,
  listOperations,
  listOrderProducts,
  listOrders,
  listOsImages,
  listPublicApps,
  listRecycledCvms,
  listRollouts,
  listSecretCopies,
  listSshKeys,
  listTeamAiModels,
  listTeamTemplates,
  listTeepodOsImages,
  listTeepodTeams,
  listTemplates,
  listTokens,
  listTopUps,
  listTransactions,
  listWallets,
  listWebhookDeliveries,
  listWebhooks,
  listWorkspaceNodes,
  listWorkspaces,
  markAdminGpuFaulty,
  markNotificationsRead,
  openAppWatch,
  openCardSetup,
  openCheckout,
  openUnsubscribe,
  patchCvm,
  pauseAdminAuditDestination,
  protectCvm,
  provisionCvm,
  provisionCvmComposeFile,
  publishAdminAnnouncement,
  publishCvmModelServer,
  publishTeamAiModel,
  pullTeepodImage,
  purgeRecycledCvm,
  putGpuWait,
  putSecretCopy,
  putSso,
  reactivateAdminUser,
  readAdminKmsContract,
  readMcpUsage,
  redeemPromotionCode,
  redeployAppRevision,
  redeployCvmRevision,
  refreshCvmInstanceId,
  refreshCvmInstanceIds,
  refundAdminOrder,
  refundAdminPayment,
  registerUser,
  reinstateAdminAbuseReport,
  rejectAdminFinanceAction,
  rejectAdminPayment,
  releaseAdminGpu,
  reloadAdminTemplate,
  removeAdminDuplicateVm,
  renameCvm,
  repairAdminGpu,
  repairAdminTeepod,
  reportPublicApp,
  requestEmailChange,
  requestPasswordReset,
  resendAdminUserVerification,
  resendInvitation,
  resendVerification,
  resendWebhookDelivery,
  reserveAdminGpu,
  resetAdminLogLevel,
  resetAdminUserSecondFactor,
  resetPassword,
  restartAdminCvm,
  restartCvm,
  restoreCvm,
  resumeAdminAuditDestination,
  retireAdminKmsKey,
  retryAdminOutbox,
  retryAdminQueueJob,
  revealWebhookSecret,
  reverseAdminPayment,
  revokeAdminCredit,
  revokeAdminKmsWebhook,
  revokeAiKey,
  revokeApiToken,
  revokeInvitation,
  rotateAiKey,
  rotateWebhookSecret,
  scheduleCvmDelete,
  scheduleCvmStop,
  sendAgentMessage,
  setAdminChatToken,
  setAdminLogLevel,
  setAutoTopUp,
  setCvmListed,
  setCvmMovable,
  setDefaultWorkspace,
  shutdownAdminCvm,
  shutdownCvm,
  startAdminCvm,
  startBudgetCvms,
  startCvm,
  startSso,
  stepUp,
  stopAdminCvm,
  stopCvm,
  streamEvents,
  suspendAdminUser,
  syncGithubKeys,
  testAdminAuditDestination,
  testAdminChatLink,
  testSso,
  testWebhook,
  transferWorkspace,
  tryAdminKmsContractApp,
  uncordonAdminTeepod,
  unlinkSso,
  unlinkWallet,
  unprotectCvm,
  unsubscribe,
  updateAccount,
  updateAdminAiGateway,
  updateAdminAiModel,
  updateAdminAiUpstream,
  updateAdminAnnouncement,
  updateAdminAuditDestination,
  updateAdminBillingSettings,
  updateAdminChatLink,
  updateAdminGateway,
  updateAdminGpu,
  updateAdminInstanceType,
  updateAdminKms,
  updateAdminKmsContract,
  updateAdminMaintenanceWindow,
  updateAdminNode,
  updateAdminOrderProduct,
  updateAdminOsImage,
  updateAdminPromotionCode,
  updateAdminSettings,
  updateAdminTeepod,
  updateAdminTemplate,
  updateAdminUser,
  updateAdminView,
  updateAdminWorkspace,
  updateAiKey,
  updateApiToken,
  updateBillingDetails,
  updateBudget,
  updateCvmEnvs,
  updateCvmOsImage,
  updateCvmResources,
  updateCvmVisibility,
  updateDockerCompose,
  updateMember,
  updateNotificationPreferences,
  updateNotificationSettings,
  updateOrder,
  updatePasskey,
  updatePreLaunchScript,
  updateTeamAiModel,
  updateTeamTemplate,
  updateWebhook,
  updateWorkspace,
  verifyAdminAudit,
  verifyCvmDomain,
  verifyEmail,
  verifySsoDomain,
  viewAsAdminUser,
  voidAdminInvoice,
  watchPublicApp,
  watchPublicAppByWebhook,
  withdrawApproval,
  withdrawTeamAiModel,
  writeOffAdminInvoice,
};
