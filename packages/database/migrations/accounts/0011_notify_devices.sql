CREATE TABLE "accounts"."notify_state" (
	"single" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"sealed_push_key" text,
	"telegram_next" bigint DEFAULT 0 NOT NULL,
	"telegram_reader" uuid,
	"telegram_reader_until" timestamp with time zone,
	CONSTRAINT "notify_state_single" CHECK ("accounts"."notify_state"."single")
);
--> statement-breakpoint
ALTER TABLE "accounts"."notify_channels" ADD COLUMN "place_hmac" text;--> statement-breakpoint
ALTER TABLE "accounts"."notify_channels" ADD COLUMN "session_id" text;--> statement-breakpoint
ALTER TABLE "accounts"."notify_channels" ADD COLUMN "amounts" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "accounts"."notify_channels" ADD COLUMN "failing_why" text;--> statement-breakpoint
CREATE INDEX "notify_channels_place" ON "accounts"."notify_channels" USING btree ("place_hmac");--> statement-breakpoint
CREATE INDEX "notify_channels_session_id" ON "accounts"."notify_channels" USING btree ("session_id");--> statement-breakpoint
INSERT INTO "accounts"."notify_state" DEFAULT VALUES;
