ALTER TABLE "accounts"."notify_channels" ADD COLUMN "added_by_session" text;--> statement-breakpoint
ALTER TABLE "accounts"."notify_channels" ADD COLUMN "added_by_device" uuid;--> statement-breakpoint
ALTER TABLE "accounts"."notify_channels" ADD COLUMN "added_address" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "accounts"."notify_channels" ADD COLUMN "added_user_agent" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "accounts"."notify_channels" ADD COLUMN "disabled_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "accounts"."paired_hosts" ADD COLUMN "added_by_session" text;--> statement-breakpoint
ALTER TABLE "accounts"."paired_hosts" ADD COLUMN "added_by_device" uuid;--> statement-breakpoint
ALTER TABLE "accounts"."paired_hosts" ADD COLUMN "added_address" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "accounts"."paired_hosts" ADD COLUMN "added_user_agent" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "accounts"."paired_hosts" ADD COLUMN "disabled_at" timestamp with time zone;