CREATE TABLE "bots"."proxies" (
	"scope" text PRIMARY KEY NOT NULL,
	"address" text NOT NULL,
	"changed_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "bots"."venue_pauses" (
	"venue" text NOT NULL,
	"via" text NOT NULL,
	"ends_at" bigint NOT NULL,
	"banned" boolean NOT NULL,
	CONSTRAINT "venue_pauses_venue_via_pk" PRIMARY KEY("venue","via")
);
