CREATE TABLE "accounts"."signal_addresses" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"user_id" bigint NOT NULL,
	"bot" text NOT NULL,
	"bot_name" text NOT NULL,
	"secret_hash" text NOT NULL,
	"dry_run" boolean DEFAULT true NOT NULL,
	"allowed" text[] DEFAULT '{}' NOT NULL,
	"language" text NOT NULL,
	"made_at" timestamp with time zone DEFAULT now() NOT NULL,
	"added_by_session" text,
	"added_by_device" uuid,
	"added_address" text DEFAULT '' NOT NULL,
	"added_user_agent" text DEFAULT '' NOT NULL,
	"disabled_at" timestamp with time zone,
	CONSTRAINT "signal_addresses_once" UNIQUE("user_id","bot")
);
--> statement-breakpoint
CREATE TABLE "accounts"."signal_log" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "accounts"."signal_log_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"signal_id" uuid NOT NULL,
	"received_at" timestamp with time zone DEFAULT now() NOT NULL,
	"address" text NOT NULL,
	"body" text NOT NULL,
	"replay_key" text,
	"request_id" uuid,
	"outcome" text NOT NULL,
	"reason" text,
	"detail" text DEFAULT '' NOT NULL,
	"order_made" jsonb
);
--> statement-breakpoint
ALTER TABLE "accounts"."signal_addresses" ADD CONSTRAINT "signal_addresses_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "accounts"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "accounts"."signal_log" ADD CONSTRAINT "signal_log_signal_id_signal_addresses_id_fk" FOREIGN KEY ("signal_id") REFERENCES "accounts"."signal_addresses"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "signal_log_signal" ON "accounts"."signal_log" USING btree ("signal_id","id");--> statement-breakpoint
CREATE INDEX "signal_log_replay" ON "accounts"."signal_log" USING btree ("signal_id","replay_key");