import type { Migration } from 'kysely';
import * as foundation from './0001-0029/0001_foundation';
import * as reading from './0001-0029/0002_reading';
import * as people from './0001-0029/0003_people';
import * as outbox from './0001-0029/0004_outbox';
import * as auditChain from './0001-0029/0005_audit_chain';
import * as sso from './0001-0029/0006_sso';
import * as access from './0001-0029/0007_access';
import * as guessing from './0001-0029/0008_guessing';
import * as rollouts from './0001-0029/0009_rollouts';
import * as cvmSettings from './0001-0029/0010_cvm_settings';
import * as metrics from './0001-0029/0011_metrics';
import * as webhooks from './0001-0029/0012_webhooks';
import * as notifications from './0001-0029/0013_notifications';
import * as eventSearch from './0001-0029/0014_event_search';
import * as secretCopies from './0001-0029/0015_secret_copies';
import * as evidence from './0001-0029/0016_evidence';
import * as domains from './0001-0029/0017_domains';
import * as adminLists from './0001-0029/0018_admin_lists';
import * as fleet from './0001-0029/0019_fleet';
import * as gpus from './0001-0029/0020_gpus';
import * as staff from './0001-0029/0021_people';
import * as announcements from './0001-0029/0022_announcements';
import * as chat from './0001-0029/0023_chat';
import * as queues from './0001-0029/0024_queues';
import * as requestIds from './0001-0029/0025_request_ids';
import * as ssoLinks from './0001-0029/0026_sso_links';
import * as registration from './0001-0029/0027_registration';
import * as dropUnusedJobSchema from './0001-0029/0028_drop_unused_job_schema';
import * as periodicLeases from './0001-0029/0029_periodic_leases';
import * as textKeys from './0030-0069/0030_text_keys';
import * as ledger from './0030-0069/0031_ledger';
import * as payments from './0030-0069/0032_payments';
import * as missingVms from './0030-0069/0033_missing_vms';
import * as hostAddresses from './0030-0069/0034_host_addresses';
import * as lostCvms from './0030-0069/0035_lost_cvms';
import * as usageCorrections from './0030-0069/0038_usage_corrections';
import * as balanceHolds from './0030-0069/0039_balance_holds';
import * as debts from './0030-0069/0040_debts';
import * as publishedApps from './0030-0069/0041_published_apps';
import * as apiVersions from './0030-0069/0042_api_versions';
import * as invoices from './0030-0069/0044_invoices';
import * as invoiceDocuments from './0030-0069/0045_invoice_documents';
import * as overdueInvoices from './0030-0069/0046_overdue_invoices';
import * as imageHashes from './0030-0069/0050_image_hashes';
import * as cardPayments from './0030-0069/0055_card_payments';
import * as autoTopUps from './0030-0069/0056_auto_top_ups';
import * as platformSettings from './0030-0069/0057_platform_settings';
import * as duplicateVms from './0030-0069/0058_duplicate_vms';
import * as budgets from './0070-0099/0070_budgets';
import * as refunds from './0070-0099/0072_refunds';
import * as bonusPayments from './0070-0099/0073_bonus_payments';
import * as postponedDebts from './0070-0099/0074_postponed_debts';
import * as reversedReceipts from './0070-0099/0075_reversed_receipts';
import * as chainChecks from './0070-0099/0080_chain_checks';
import * as onChainApps from './0070-0099/0081_on_chain_apps';
import * as ai from './0070-0099/0085_ai';
import * as aiReceipts from './0070-0099/0086_ai_receipts';
import * as contractIndex from './0070-0099/0087_contract_index';
import * as aiPlaygroundKeys from './0070-0099/0088_ai_playground_keys';
import * as hostAndKmsFacts from './0070-0099/0089_host_and_kms_facts';
import * as approvals from './0070-0099/0090_approvals';
import * as aiUpstreams from './0070-0099/0094_ai_upstreams';
import * as gateways from './0070-0099/0098_gateways';
import * as hostTee from './0070-0099/0099_host_tee';
import * as givenUpHolds from './0100_given_up_holds';
import * as orders from './0110_orders';
import * as abuseReports from './0130_abuse_reports';
import * as financeActions from './0131_finance_actions';
import * as billingSettings from './0133_billing_settings';
import * as aiCharges from './0134_ai_charges';
import * as hostAddressKeys from './0135_host_address_keys';
import * as givenUpPorts from './0136_given_up_ports';
import * as aiTotals from './0140_ai_totals';
import * as failedFinanceActions from './0150_failed_finance_actions';
import * as platformFinanceActions from './0151_platform_finance_actions';
import * as financeActionExpiry from './0152_finance_action_expiry';
import * as cardConsent from './0153_card_consent';
import * as eInvoices from './0165_e_invoices';
import * as meteredBudgets from './0170_metered_budgets';
import * as appWatches from './0190_app_watches';
import * as diskRates from './0191_disk_rates';
import * as receiptKeys from './0195_receipt_keys';
import * as openPages from './0196_open_pages';
import * as ratedProducts from './0198_rated_products';
import * as financeNotices from './0199_finance_notices';
import * as aiKeyBudgets from './0200_ai_key_budgets';
import * as accountWallets from './0201_account_wallets';
import * as ordersOfDisks from './0202_orders_of_disks';
import * as renewalReasons from './0203_renewal_reasons';
import * as stoppedWatches from './0206_stopped_watches';
import * as publishedRevisions from './0207_published_revisions';
import * as webhookWatches from './0208_webhook_watches';
import * as e2eeNonces from './0210_e2ee_nonces';
import * as gpuWaits from './0216_gpu_waits';
import * as refusedVersions from './0217_refused_versions';
import * as templateVersions from './0218_template_versions';
import * as teamTemplates from './0219_team_templates';
import * as kmsWebhooks from './0226_kms_webhooks';
import * as ordersSinceDiskRates from './0230-0259/0234_orders_since_disk_rates';
import * as budgetRenewals from './0230-0259/0235_budget_renewals';
import * as gpuWaitNames from './0230-0259/0236_gpu_wait_names';
import * as aiGateways from './0230-0259/0242_ai_gateways';
import * as kmsBootEntries from './0230-0259/0243_kms_boot_entries';
import * as usdcDeposits from './0230-0259/0253_usdc_deposits';
import * as usageDays from './0230-0259/0254_usage_days';
import * as welcomeCredits from './0230-0259/0255_welcome_credits';
import * as expiryNotices from './0230-0259/0256_expiry_notices';
import * as operatorTemplates from './0230-0259/0257_operator_templates';
import * as webhookFormats from './0230-0259/0258_webhook_formats';
import * as aiCatalog from './0230-0259/0259_ai_catalog';
import * as aiGatewayCvms from './0260-0289/0260_ai_gateway_cvms';
import * as aiUpstreamEvidence from './0260-0289/0261_ai_upstream_evidence';
import * as usdcLookups from './0260-0289/0265_usdc_lookups';
import * as usdcUnread from './0260-0289/0275_usdc_unread';
import * as welcomeMinimum from './0260-0289/0266_welcome_minimum';
import * as hostShards from './0260-0289/0280_host_shards';
import * as logLevel from './0260-0289/0285_log_level';
import * as operationTraces from './0260-0289/0286_operation_traces';
import * as reinstatedReports from './0290-0319/0292_reinstated_reports';
import * as usedWalletMessages from './0290-0319/0293_used_wallet_messages';
import * as diskLines from './0290-0319/0294_disk_lines';
import * as openProvisions from './0290-0319/0295_open_provisions';
import * as auditClientCertificates from './0290-0319/0299_audit_client_certificates';
import * as staffSso from './0290-0319/0301_staff_sso';
import * as recoveryCodeSecrets from './0290-0319/0302_recovery_code_secrets';
import * as payerWarnings from './0290-0319/0303_payer_warnings';
import * as scim from './0290-0319/0304_scim';
import * as teepodLoads from './0290-0319/0305_teepod_loads';
import * as teamAiModels from './0290-0319/0306_team_ai_models';
import * as maintenanceNotices from './0290-0319/0307_maintenance_notices';
import * as dividedEvents from './0290-0319/0308_divided_events';
import * as missingVmsIndex from './0290-0319/0309_missing_vms_index';
import * as aiRequestUpstreams from './0290-0319/0312_ai_request_upstreams';
import * as redemptionIndexes from './0290-0319/0313_redemption_indexes';
import * as cardRemovals from './0290-0319/0317_card_removals';
import * as hostFacts from './0290-0319/0318_host_facts';
import * as sizeWaits from './0290-0319/0319_size_waits';
import * as sourcesOfTrust from './0320-0349/0320_sources_of_trust';
import * as provisionRates from './0320-0349/0321_provision_rates';
import * as placementPolicy from './0320-0349/0322_placement_policy';
import * as attestedRequests from './0320-0349/0323_attested_requests';
import * as offersAndNextKeys from './0320-0349/0324_offers_and_next_keys';
import * as aiDetails from './0320-0349/0326_ai_details';
import * as retentionNotices from './0320-0349/0327_retention_notices';
import * as aiSwitch from './0320-0349/0328_ai_switch';
import * as upstreamHealth from './0320-0349/0329_upstream_health';
import * as rolloutReasons from './0320-0349/0330_rollout_reasons';
import * as usedOffers from './0320-0349/0331_used_offers';
import * as rolloutDetails from './0320-0349/0332_rollout_details';
import * as eventWords from './0320-0349/0333_event_words';
import * as upstreamChecksIndex from './0320-0349/0334_upstream_checks_index';
import * as aiKeyMinutes from './0320-0349/0335_ai_key_minutes';
import * as auditDestinations from './0260-0289/0287_audit_destinations';
import * as explorerApps from './0260-0289/0270_explorer_apps';
import * as aiEvidenceCatalog from './0260-0289/0271_ai_evidence_catalog';

/** Every migration, by name, in order. Add at the end; never change one that has landed. */
export const migrations: Record<string, Migration> = {
  '0001_foundation': foundation,
  '0002_reading': reading,
  '0003_people': people,
  '0004_outbox': outbox,
  '0005_audit_chain': auditChain,
  '0006_sso': sso,
  '0007_access': access,
  '0008_guessing': guessing,
  '0009_rollouts': rollouts,
  '0010_cvm_settings': cvmSettings,
  '0011_metrics': metrics,
  '0012_webhooks': webhooks,
  '0013_notifications': notifications,
  '0014_event_search': eventSearch,
  '0015_secret_copies': secretCopies,
  '0016_evidence': evidence,
  '0017_domains': domains,
  '0018_admin_lists': adminLists,
  '0019_fleet': fleet,
  '0020_gpus': gpus,
  '0021_people': staff,
  '0022_announcements': announcements,
  '0023_chat': chat,
  '0024_queues': queues,
  '0025_request_ids': requestIds,
  '0026_sso_links': ssoLinks,
  '0027_registration': registration,
  '0028_drop_unused_job_schema': dropUnusedJobSchema,
  '0029_periodic_leases': periodicLeases,
  '0030_text_keys': textKeys,
  '0031_ledger': ledger,
  '0032_payments': payments,
  '0033_missing_vms': missingVms,
  '0034_host_addresses': hostAddresses,
  '0035_lost_cvms': lostCvms,
  '0038_usage_corrections': usageCorrections,
  '0039_balance_holds': balanceHolds,
  '0040_debts': debts,
  '0041_published_apps': publishedApps,
  '0042_api_versions': apiVersions,
  '0044_invoices': invoices,
  '0045_invoice_documents': invoiceDocuments,
  '0046_overdue_invoices': overdueInvoices,
  '0050_image_hashes': imageHashes,
  '0055_card_payments': cardPayments,
  '0056_auto_top_ups': autoTopUps,
  '0057_platform_settings': platformSettings,
  '0058_duplicate_vms': duplicateVms,
  '0070_budgets': budgets,
  '0072_refunds': refunds,
  '0073_bonus_payments': bonusPayments,
  '0074_postponed_debts': postponedDebts,
  '0075_reversed_receipts': reversedReceipts,
  '0080_chain_checks': chainChecks,
  '0081_on_chain_apps': onChainApps,
  '0085_ai': ai,
  '0086_ai_receipts': aiReceipts,
  '0087_contract_index': contractIndex,
  '0088_ai_playground_keys': aiPlaygroundKeys,
  '0089_host_and_kms_facts': hostAndKmsFacts,
  '0090_approvals': approvals,
  '0094_ai_upstreams': aiUpstreams,
  '0098_gateways': gateways,
  '0099_host_tee': hostTee,
  '0100_given_up_holds': givenUpHolds,
  '0110_orders': orders,
  '0130_abuse_reports': abuseReports,
  '0131_finance_actions': financeActions,
  '0133_billing_settings': billingSettings,
  '0134_ai_charges': aiCharges,
  '0135_host_address_keys': hostAddressKeys,
  '0136_given_up_ports': givenUpPorts,
  '0140_ai_totals': aiTotals,
  '0150_failed_finance_actions': failedFinanceActions,
  '0151_platform_finance_actions': platformFinanceActions,
  '0152_finance_action_expiry': financeActionExpiry,
  '0153_card_consent': cardConsent,
  '0165_e_invoices': eInvoices,
  '0170_metered_budgets': meteredBudgets,
  '0190_app_watches': appWatches,
  '0191_disk_rates': diskRates,
  '0195_receipt_keys': receiptKeys,
  '0196_open_pages': openPages,
  '0198_rated_products': ratedProducts,
  '0199_finance_notices': financeNotices,
  '0200_ai_key_budgets': aiKeyBudgets,
  '0201_account_wallets': accountWallets,
  '0202_orders_of_disks': ordersOfDisks,
  '0203_renewal_reasons': renewalReasons,
  '0206_stopped_watches': stoppedWatches,
  '0207_published_revisions': publishedRevisions,
  '0208_webhook_watches': webhookWatches,
  '0210_e2ee_nonces': e2eeNonces,
  '0216_gpu_waits': gpuWaits,
  '0217_refused_versions': refusedVersions,
  '0218_template_versions': templateVersions,
  '0219_team_templates': teamTemplates,
  '0226_kms_webhooks': kmsWebhooks,
  '0234_orders_since_disk_rates': ordersSinceDiskRates,
  '0235_budget_renewals': budgetRenewals,
  '0236_gpu_wait_names': gpuWaitNames,
  '0242_ai_gateways': aiGateways,
  '0243_kms_boot_entries': kmsBootEntries,
  '0253_usdc_deposits': usdcDeposits,
  '0254_usage_days': usageDays,
  '0255_welcome_credits': welcomeCredits,
  '0256_expiry_notices': expiryNotices,
  '0257_operator_templates': operatorTemplates,
  '0258_webhook_formats': webhookFormats,
  '0259_ai_catalog': aiCatalog,
  '0260_ai_gateway_cvms': aiGatewayCvms,
  '0261_ai_upstream_evidence': aiUpstreamEvidence,
  '0265_usdc_lookups': usdcLookups,
  '0266_welcome_minimum': welcomeMinimum,
  '0270_explorer_apps': explorerApps,
  '0271_ai_evidence_catalog': aiEvidenceCatalog,
  '0275_usdc_unread': usdcUnread,
  '0280_host_shards': hostShards,
  '0285_log_level': logLevel,
  '0286_operation_traces': operationTraces,
  '0287_audit_destinations': auditDestinations,
  '0292_reinstated_reports': reinstatedReports,
  '0293_used_wallet_messages': usedWalletMessages,
  '0294_disk_lines': diskLines,
  '0295_open_provisions': openProvisions,
  '0299_audit_client_certificates': auditClientCertificates,
  '0301_staff_sso': staffSso,
  '0302_recovery_code_secrets': recoveryCodeSecrets,
  '0303_payer_warnings': payerWarnings,
  '0304_scim': scim,
  '0305_teepod_loads': teepodLoads,
  '0306_team_ai_models': teamAiModels,
  '0307_maintenance_notices': maintenanceNotices,
  '0308_divided_events': dividedEvents,
  '0309_missing_vms_index': missingVmsIndex,
  '0312_ai_request_upstreams': aiRequestUpstreams,
  '0313_redemption_indexes': redemptionIndexes,
  '0317_card_removals': cardRemovals,
  '0318_host_facts': hostFacts,
  '0319_size_waits': sizeWaits,
  '0320_sources_of_trust': sourcesOfTrust,
  '0321_provision_rates': provisionRates,
  '0322_placement_policy': placementPolicy,
  '0323_attested_requests': attestedRequests,
  '0324_offers_and_next_keys': offersAndNextKeys,
  '0326_ai_details': aiDetails,
  '0327_retention_notices': retentionNotices,
  '0328_ai_switch': aiSwitch,
  '0329_upstream_health': upstreamHealth,
  '0330_rollout_reasons': rolloutReasons,
  '0331_used_offers': usedOffers,
  '0332_rollout_details': rolloutDetails,
  '0333_event_words': eventWords,
  '0334_upstream_checks_index': upstreamChecksIndex,
  '0335_ai_key_minutes': aiKeyMinutes,
};
