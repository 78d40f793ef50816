// Made by `make page` of the shapes in openapi.json, sha256 8762d8b720b2174580092d7bc2749fc797d3b525ab30654b415b5f29a722bf34

export type paths = Record<string, never>;
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        About: {
            daynight: string;
            mechanic: string | null;
            rules: number;
            editions: string[];
            languages: string[];
            limits: components["schemas"]["Limits"];
            you: components["schemas"]["You"] | null;
            source?: string;
        };
        Acknowledged: {
            command: string;
            first: number;
            last: number;
            repeated: boolean;
            moments: components["schemas"]["Moment"][] | null;
            forecast: components["schemas"]["Forecast"] | null;
            code: string | null;
            head: string;
        };
        ActEvent: {
            event: number;
            type: string;
            consequences: (components["schemas"]["Changed"] | components["schemas"]["Transformed"] | components["schemas"]["EnteredTransformed"] | components["schemas"]["Refused"] | components["schemas"]["Triggered"] | components["schemas"]["PhasedBack"] | components["schemas"]["PutOnStack"] | components["schemas"]["Restored"])[];
        };
        Almost: {
            edits: components["schemas"]["Edit"][];
            options: string[];
        };
        Appeal: {
            event: number;
            by: string;
            at: string | null;
        };
        Appealed: {
            command: string;
            by?: string;
            at?: string | null;
            note?: string | null;
            meta?: Record<string, never> | null;
        };
        AskedEdit: {
            at: number | string;
            insert?: (Record<string, never> | string)[];
            replace?: (Record<string, never> | string)[];
            drop?: boolean;
        };
        AtLeast: {
            at_least: number;
        };
        Audit: {
            /** @enum {unknown} */
            version?: 1;
            record: string;
            game: string;
            events: number;
            /** @enum {unknown} */
            verdict: "disputed" | "exact" | "unverified";
            findings: components["schemas"]["Finding"][];
            unsettled: components["schemas"]["Finding"][];
            disputes: components["schemas"]["HeardDispute"][];
            doubts?: components["schemas"]["Doubts"];
        };
        Audited: {
            /** @enum {unknown} */
            verdict: "disputed" | "exact" | "unverified";
            differs_at: number[];
        };
        BackupPlan: {
            /** @enum {unknown} */
            version?: 1;
            game: string;
            from: number;
            to: number;
            reversals: components["schemas"]["Reversal"][];
            hidden: number[];
            unknown: number[];
            decisions: number | components["schemas"]["Bounds"];
            not_recorded: string;
            policy: components["schemas"]["TournamentPolicy"];
        };
        Begun: {
            command: string;
            game: string;
            players: string[];
            teams?: string[][] | null;
            edition?: string | null;
        };
        Bisected: {
            /** @enum {unknown} */
            version?: 1;
            bad: number | null;
            finding: components["schemas"]["Finding"] | null;
            undone: components["schemas"]["Finding"][];
            monotone: boolean;
            wrong: number[];
            right_again: number | null;
            differ_again: number[];
        };
        Blame: {
            /** @enum {unknown} */
            version?: 1;
            event: number;
            parts: components["schemas"]["Blamed"][];
        };
        Blamed: {
            part: string;
            subject: string | null;
            value: unknown;
            event: number | null;
            rule: string | null;
            cr: string | null;
            because: number[];
            sentence: string;
        };
        BothAudits: {
            record: components["schemas"]["Audited"];
            branch: components["schemas"]["Audited"];
        };
        Bounds: {
            at_least: number;
            at_most: number | null;
        };
        BranchBeside: {
            name: string;
            file: string;
            parent: string | null;
            parted: number;
            fits: boolean;
            events: number;
            /** @enum {unknown} */
            verdict: "disputed" | "exact" | "unverified";
            differing: number;
            differences: components["schemas"]["Parting"][];
            more: number;
        };
        BranchName: {
            id: string;
            name: string;
            parted: number;
        };
        Case: {
            event: number;
            /** @enum {unknown} */
            about: "designation" | "face" | "ruling" | "tally";
            subject: string | null;
            claimed: number | string | components["schemas"]["Bounds"] | null;
            derived: number | string | components["schemas"]["Bounds"] | null;
            by: string;
            rule: string | null;
            cr: string | null;
            because: number[];
            sentence: string;
            short: string;
            /** @enum {unknown} */
            undone?: true;
            doubt?: string[];
            turn: number;
            step: string | null;
            at: number;
            why: components["schemas"]["Why"] | null;
            sources: components["schemas"]["Source"][];
            evidence: components["schemas"]["Told"][];
            then: components["schemas"]["Then"][];
            more: number;
            blame: components["schemas"]["Blamed"][];
        };
        Change: {
            event: number;
            turn: number;
            was: components["schemas"]["Designation"];
            became: components["schemas"]["Designation"];
            rule: string;
            cr: string | null;
            because: number[];
            /** @enum {unknown} */
            certain?: false;
            /** @enum {unknown} */
            implied?: true;
        };
        Changed: {
            /** @enum {unknown} */
            type: "changed";
            event: number;
            rule: string;
            cr: string | null;
            because: number[];
            /** @enum {unknown} */
            certain?: false;
            /** @enum {unknown} */
            implied?: true;
            turn: number;
            was: components["schemas"]["Designation"];
            became: components["schemas"]["Designation"];
        };
        Citation: {
            event: number;
            rule: string;
            left: string | null;
            right: string | null;
        };
        Claim: {
            about: string;
            subject: string | null;
            claimed: unknown;
            derived: unknown;
            /** @enum {unknown} */
            verdict: "agrees" | "differs" | "open";
            claimed_says?: string;
            derived_says?: string;
            rule_says?: string | null;
        };
        Claimed: {
            command: string;
            by?: string;
            at?: string | null;
            note?: string | null;
            meta?: Record<string, never> | null;
            designation?: components["schemas"]["Designation"] | null;
            says?: string | null;
        };
        Closed: {
            command: string;
            by?: string;
            at?: string | null;
            note?: string | null;
            meta?: Record<string, never> | null;
            /** @enum {unknown} */
            outcome?: "back-up" | "fix" | "leave";
        };
        Commanded: {
            command: string;
            seen?: number;
            expected?: number;
            head?: string;
            words?: string[];
            events?: Record<string, never>[];
            /** @enum {unknown} */
            do?: "catch-up" | "pass-turn";
            turn?: number;
            casts?: {
                [key: string]: {
                    [key: string]: number | components["schemas"]["AtLeast"];
                };
            };
            skips?: string[];
            active?: string[];
        };
        Corrected: {
            command: string;
            seen: number;
            head?: string;
            edits: components["schemas"]["AskedEdit"][];
        };
        Delta: {
            event: number;
            game?: string;
            turn?: number;
            active?: string[];
            step?: string | null;
            designation?: components["schemas"]["Designation"] | null;
            possible?: components["schemas"]["Designation"][];
            tallies?: components["schemas"]["Tallies"];
            battlefield?: components["schemas"]["PermanentState"][];
            left?: string[];
            policy?: components["schemas"]["Policy"] | null;
        };
        DerivedThere: {
            designation: components["schemas"]["Designation"] | null;
            possible: components["schemas"]["Designation"][];
            rule: string | null;
            cr: string | null;
            because: number[];
            sentence: string;
            short: string;
            policy?: components["schemas"]["Policy"];
        };
        /** @enum {unknown} */
        Designation: "day" | "neither" | "night";
        Diff: {
            /** @enum {unknown} */
            version?: 1;
            left: string;
            right: string;
            /** @enum {unknown} */
            compared: "moments" | "steps";
            differences: components["schemas"]["Parting"][];
        };
        Difference: {
            about: string;
            subject: string | null;
            left: unknown;
            right: unknown;
            sentence: string;
        };
        Dispute: {
            dispute: string;
            opened: number;
            by: string;
            at: string | null;
            about: number;
            derived: components["schemas"]["DerivedThere"];
            claims: components["schemas"]["DisputeClaim"][];
            rulings: components["schemas"]["Ruling"][];
            appeals: components["schemas"]["Appeal"][];
            /** @enum {unknown} */
            status: "appealed" | "closed" | "open" | "ruled";
            outcome: ("back-up" | "fix" | "leave") | null;
            closed: number | null;
            closed_by: string | null;
            closed_at: string | null;
            trail: number[];
            stands: components["schemas"]["Standing"][];
        };
        DisputeActed: {
            /** @enum {unknown} */
            version?: 1;
            game: string;
            dispute: string;
            /** @enum {unknown} */
            status: "appealed" | "closed" | "open" | "ruled";
            events: components["schemas"]["ActEvent"][];
            command: string;
            repeated: boolean;
        };
        DisputeClaim: {
            event: number;
            by: string;
            at: string | null;
            designation: components["schemas"]["Designation"] | null;
            says: string | null;
            agrees: boolean | null;
        };
        Disputes: {
            /** @enum {unknown} */
            version?: 1;
            game: string;
            disputes: components["schemas"]["Dispute"][];
        };
        Doubts: {
            names: string[];
            unknown?: unknown[];
            because: number[];
            sentence: string;
        };
        Edit: {
            at: number | string | null;
            last?: number | string;
            insert?: ({
                type: string;
            } | string)[];
            replace?: ({
                type: string;
            } | string)[];
            /** @enum {unknown} */
            drop?: true;
        };
        EditionsDiff: {
            /** @enum {unknown} */
            version?: 1;
            left: string;
            right: string;
            citations: components["schemas"]["Citation"][];
        };
        EnteredTransformed: {
            /** @enum {unknown} */
            type: "entered-transformed";
            event: number;
            rule: string;
            cr: string | null;
            because: number[];
            /** @enum {unknown} */
            certain?: false;
            /** @enum {unknown} */
            implied?: true;
            permanents: string[];
        };
        /** @enum {unknown} */
        Face: "back" | "front";
        Fact: {
            if: string;
            possible: components["schemas"]["Designation"][];
            settles: boolean;
        };
        Finding: {
            event: number;
            /** @enum {unknown} */
            about: "designation" | "face" | "ruling" | "tally";
            subject: string | null;
            claimed: number | string | components["schemas"]["Bounds"] | null;
            derived: number | string | components["schemas"]["Bounds"] | null;
            by: string;
            rule: string | null;
            cr: string | null;
            because: number[];
            sentence: string;
            short: string;
            /** @enum {unknown} */
            undone?: true;
            doubt?: string[];
        };
        First: {
            /** @enum {unknown} */
            version?: 1;
            bad: number | null;
        };
        Forecast: {
            /** @enum {unknown} */
            version?: 1;
            event: number;
            designation: components["schemas"]["Designation"] | null;
            possible: components["schemas"]["Designation"][];
            casting: string[];
            cast: {
                [key: string]: number | components["schemas"]["Bounds"];
            };
            outcomes: components["schemas"]["Outcome"][];
            sentence: string;
        };
        Found: {
            event: number;
            turn: number | null;
            sentence: string;
        };
        FoundEvents: {
            events: components["schemas"]["Found"][];
            total: number;
            next: string | null;
        };
        Game: {
            id: string;
            game: string;
            identity: string;
            head: string;
            undoable: components["schemas"]["Undoable"] | null;
            players: string[];
            edition: string | null;
            events: number;
            turns: number | null;
            code: string | null;
            branches: components["schemas"]["BranchName"][];
            undone: number[][];
            /** @enum {unknown} */
            kind: "adopted" | "file" | "stored";
            left?: string[];
            title?: string;
            pictured?: boolean;
            lost?: string | null;
            stops?: components["schemas"]["Stops"] | null;
        };
        GameRow: {
            id: string;
            game: string;
            title?: string;
            events: number;
            turns?: number;
            spells?: number;
            changes?: number;
            designation?: components["schemas"]["Designation"] | null;
            possible?: components["schemas"]["Designation"][];
            /** @enum {unknown} */
            verdict?: "disputed" | "exact" | "unverified";
            differing?: number;
            over?: boolean;
            kind?: string;
            last?: string | null;
            now?: string | null;
        };
        Games: {
            games: components["schemas"]["GameRow"][];
            behind: number;
            next: string | null;
        };
        HeardClaim: {
            event: number;
            by: string;
            designation: components["schemas"]["Designation"] | null;
            says: string | null;
            derived: components["schemas"]["Designation"] | null;
            agrees: boolean | null;
        };
        HeardDispute: {
            dispute: string;
            opened: number;
            about: number;
            /** @enum {unknown} */
            status: "appealed" | "closed" | "open" | "ruled";
            outcome: ("back-up" | "fix" | "leave") | null;
            claims: components["schemas"]["HeardClaim"][];
        };
        Hint: {
            /** @enum {unknown} */
            kind: "arrival" | "cast" | "departure" | "effect" | "further-untap-step" | "no-cast" | "no-untap-step" | "untap-step";
            turn: number;
            size: number;
            subject: string | null;
            sentence: string;
            edits: components["schemas"]["Edit"][];
            options: string[];
            differing?: number;
            /** @enum {unknown} */
            certain?: false;
        };
        ImportReport: {
            importer: string;
            table: string | null;
            sources: string[];
            games: components["schemas"]["ReportGame"][];
            events: number;
            skipped: number;
            skipped_lines: components["schemas"]["ReportLine"][];
            warnings: components["schemas"]["ReportGroup"][];
            notes: components["schemas"]["ReportGroup"][];
        };
        Imported: {
            games: components["schemas"]["StoredGame"][];
            report: components["schemas"]["ImportReport"] | null;
        };
        Impossible: {
            event: number;
            reason: string;
        };
        JudgeAct: {
            event: number;
            by: string;
            /** @enum {unknown} */
            agreement: "agrees" | "backs-up" | "differs" | "open" | "silent";
            sentence: string;
            undone: boolean;
            dispute: string | null;
        };
        KeptBranch: {
            game: string;
            name: string;
            parent: string;
            parted: number;
            events: number;
            intact: boolean;
        };
        Limits: {
            address?: number;
            head?: number;
            body?: number;
            events?: number;
            edits?: number;
            upload?: number;
            unpacked?: number;
            upload_seconds?: number;
            uploads?: number;
            requests?: number;
            requests_burst?: number;
            writes?: number;
            writes_burst?: number;
            listeners?: number;
            listeners_key?: number;
            idle_seconds?: number;
            stalled_seconds?: number;
            connections?: number;
            connections_address?: number;
            head_seconds?: number;
            query?: number;
            computation_seconds?: number;
            computations?: number;
            listener_bytes?: number;
        };
        LinkRow: {
            link: string;
            game: string;
            /** @enum {unknown} */
            role: "judge" | "player" | "spectator";
            name: string | null;
            ends: string;
            /** @enum {unknown} */
            rules?: true;
        };
        Links: {
            links: components["schemas"]["LinkRow"][];
            next: string | null;
        };
        LogEvent: {
            event: number;
            sentence: string;
            consequences: string[];
            note: string | null;
            undone: boolean;
        };
        LostEvent: {
            event: number;
            type: string;
            reason: string;
        };
        Mark: {
            event: number;
            /** @enum {unknown} */
            kind: "change" | "disagreement" | "dispute" | "note" | "turn";
            turn: number | null;
            text: string;
        };
        Marks: {
            marks: components["schemas"]["Mark"][];
            next: string | null;
        };
        Moment: {
            event: number;
            head?: string;
            before?: string;
            record: {
                type: string;
            };
            sentence: string;
            consequences: (components["schemas"]["Changed"] | components["schemas"]["Transformed"] | components["schemas"]["EnteredTransformed"] | components["schemas"]["Refused"] | components["schemas"]["Triggered"] | components["schemas"]["PhasedBack"] | components["schemas"]["PutOnStack"] | components["schemas"]["Restored"])[];
            delta?: components["schemas"]["Delta"];
            state?: components["schemas"]["StateNow"];
            claim?: components["schemas"]["Claim"];
            of?: number | null;
        };
        Moments: {
            game: string;
            from: number;
            to: number;
            before: components["schemas"]["StateNow"] | null;
            moments: components["schemas"]["Moment"][];
        };
        NewGame: {
            id: string;
            game: string;
            identity: string;
            head: string;
            undoable: components["schemas"]["Undoable"] | null;
            players: string[];
            edition: string | null;
            events: number;
            turns: number | null;
            code: string | null;
            branches: components["schemas"]["BranchName"][];
            undone: number[][];
            /** @enum {unknown} */
            kind: "adopted" | "file" | "stored";
            left?: string[];
            title?: string;
            pictured?: boolean;
            lost?: string | null;
            stops?: components["schemas"]["Stops"] | null;
            command: string;
            repeated: boolean;
        };
        NewLink: {
            link: string;
            url: string;
            key: string;
            picture: string;
        };
        NotFollowing: {
            event: number;
            type: string;
            reason: string;
        };
        Noted: {
            command: string;
            by?: string;
            at?: string | null;
            note?: string | null;
            meta?: Record<string, never> | null;
            about: number | null;
            says: string;
        };
        Opened: {
            command: string;
            by?: string;
            at?: string | null;
            note?: string | null;
            meta?: Record<string, never> | null;
            about: number | null;
            dispute?: string;
            head?: string;
        };
        Origin: {
            name: string;
            game: string;
            event: number;
            digest: string | null;
            sentence: string;
        };
        Outcome: {
            player: string | null;
            casts: number;
            or_more: boolean;
            designation: components["schemas"]["Designation"] | null;
            possible: components["schemas"]["Designation"][];
            phasing: boolean;
            rule: string | null;
            cr: string | null;
        };
        PartDifference: {
            part: string;
            subject: string | null;
            left: unknown;
            right: unknown;
            sentence: string;
        };
        PartState: {
            values: unknown[];
            event: number | null;
            rule: string | null;
            because: number[];
            says: string;
            rule_says: string | null;
        };
        PartValue: {
            part: string;
            subject: string | null;
            value: unknown;
            since?: number | null;
            rule?: string | null;
            because?: number[];
            possible?: unknown[];
        };
        Parting: {
            turn: number;
            step: string | null;
            left: number | null;
            right: number | null;
            until: number;
            last: components["schemas"]["Place"];
            differences: components["schemas"]["Difference"][];
        };
        Parts: {
            /** @enum {unknown} */
            version?: 1;
            event: number;
            parts: {
                [key: string]: {
                    [key: string]: components["schemas"]["PartState"];
                };
            };
        };
        PartsAcknowledged: {
            command: string;
            first: number;
            last: number;
            repeated: boolean;
            moments: components["schemas"]["PartsMoment"][] | null;
            forecast: null;
            code: string | null;
            head: string;
        };
        PartsAudit: {
            /** @enum {unknown} */
            version?: 1;
            record: string;
            events: number;
            /** @enum {unknown} */
            verdict: "disputed" | "exact" | "unverified";
            findings: components["schemas"]["PartsFinding"][];
            unsettled: components["schemas"]["PartsFinding"][];
        };
        PartsBlame: {
            /** @enum {unknown} */
            version?: 1;
            event: number;
            parts: components["schemas"]["PartValue"][];
        };
        PartsDelta: {
            event: number;
            parts?: {
                [key: string]: {
                    [key: string]: components["schemas"]["PartState"];
                };
            };
        };
        PartsDiff: {
            /** @enum {unknown} */
            version?: 1;
            differences: components["schemas"]["PartDifference"][];
        };
        PartsFinding: {
            event: number;
            about: string;
            subject: string | null;
            claimed: unknown;
            derived: unknown;
            by: string | null;
            rule: string | null;
            because: number[];
            sentence: string;
            /** @enum {unknown} */
            undone?: true;
        };
        PartsMoment: {
            event: number;
            head?: string;
            before?: string;
            record: {
                type: string;
            };
            sentence: string;
            consequences: {
                type: string;
            }[];
            delta?: components["schemas"]["PartsDelta"];
            state?: components["schemas"]["Parts"];
            claim?: components["schemas"]["Claim"];
            of?: number | null;
        };
        PartsMoments: {
            game: string;
            from: number;
            to: number;
            before: components["schemas"]["Parts"] | null;
            moments: components["schemas"]["PartsMoment"][];
        };
        PartsWhatIf: {
            /** @enum {unknown} */
            version?: 1;
            parted: number;
            events: number;
            impossible: components["schemas"]["Impossible"][];
            differences: components["schemas"]["PartDifference"][];
        };
        PermanentState: {
            permanent: string;
            card: string | null;
            name: string | null;
            controller: string | null;
            face: components["schemas"]["Face"] | null;
            face_down: boolean;
            phased_in: boolean;
            keywords: string[] | null;
        };
        PhasedBack: {
            /** @enum {unknown} */
            type: "phased-back";
            event: number;
            rule: string;
            cr: string | null;
            because: number[];
            /** @enum {unknown} */
            certain?: false;
            /** @enum {unknown} */
            implied?: true;
            permanents: string[];
        };
        Place: {
            turn: number;
            step: string | null;
            left: number | null;
            right: number | null;
        };
        Policy: {
            rule: string;
            designation: components["schemas"]["Designation"];
        };
        Possibility: {
            designation: components["schemas"]["Designation"];
            faces: {
                [key: string]: components["schemas"]["Face"];
            };
        };
        Problem: {
            type: string;
            title: string;
            status: number;
            detail: string;
            exit: number | null;
            line?: number;
            path?: string;
            last?: number;
            turn?: number | null;
            since?: (components["schemas"]["Moment"] | components["schemas"]["PartsMoment"])[] | null;
            game?: string | null;
            event?: number | null;
            id?: string;
            identity?: string;
            impossible?: components["schemas"]["NotFollowing"][];
        };
        PutOnStack: {
            /** @enum {unknown} */
            type: "put-on-stack";
            event: number;
            rule: string;
            cr: string | null;
            because: number[];
            /** @enum {unknown} */
            certain?: false;
            /** @enum {unknown} */
            implied?: true;
        };
        Refused: {
            /** @enum {unknown} */
            type: "refused";
            event: number;
            rule: string;
            cr: string | null;
            because: number[];
            /** @enum {unknown} */
            certain?: false;
            /** @enum {unknown} */
            implied?: true;
            permanents: string[];
        };
        Repairs: {
            /** @enum {unknown} */
            version?: 1;
            finding: components["schemas"]["Finding"] | null;
            hints: components["schemas"]["Hint"][];
            tried: number;
            all_tried: boolean;
        };
        Report: {
            /** @enum {unknown} */
            version?: 1;
            /** @enum {unknown} */
            format: 1;
            game: string;
            title: string;
            recorder: string | null;
            players: string[];
            edition: string;
            events: number;
            turns: number;
            digest: string;
            code: string | null;
            branched_from: components["schemas"]["Origin"] | null;
            /** @enum {unknown} */
            verdict: "disputed" | "exact" | "unverified";
            differing: number;
            first_bad: number | null;
            timeline: components["schemas"]["TurnRow"][];
            findings: components["schemas"]["Case"][];
            doubts: components["schemas"]["Doubts"] | null;
            further: components["schemas"]["Finding"][];
            beyond: number;
            unsettled: components["schemas"]["Finding"][];
            repairs: components["schemas"]["Repairs"] | null;
            moment: components["schemas"]["ReportedMoment"];
            uncertain: components["schemas"]["Uncertain"][];
            judges: components["schemas"]["JudgeAct"][];
            disputes: components["schemas"]["Dispute"][];
            undone: components["schemas"]["UndoneStretch"][];
            branches: components["schemas"]["BranchBeside"][];
            kept: components["schemas"]["KeptBranch"][];
            log: components["schemas"]["ReportLog"];
            foot: string;
        };
        ReportGame: {
            game: string;
            source: string;
            line: number;
            events: number;
            ended: boolean;
            warnings: {
                [key: string]: number;
            };
            stored?: number;
            appended?: number;
            taken_back?: number;
            stored_as?: string;
            /** @enum {unknown} */
            part?: true;
        };
        ReportGroup: {
            kind: string;
            count: number;
            sentence: string;
            first: components["schemas"]["ReportPlace"][];
        };
        ReportLine: {
            source: string;
            line: number;
            sentence: string;
        };
        ReportLog: {
            whole: boolean;
            events: components["schemas"]["LogEvent"][];
        };
        ReportPlace: {
            source: string;
            line: number;
        };
        ReportedMoment: {
            event: number;
            asked: boolean;
            state: components["schemas"]["State"];
            why: components["schemas"]["Why"];
        };
        Restored: {
            /** @enum {unknown} */
            type: "restored";
            event: number;
            rule: string;
            cr: string | null;
            because: number[];
            /** @enum {unknown} */
            certain?: false;
            /** @enum {unknown} */
            implied?: true;
            to: number;
        };
        Reversal: {
            event: number;
            type: string;
            sentence: string;
            taken_back: string[];
            /** @enum {unknown} */
            hidden: "no" | "unknown" | "yes";
            reason: string | null;
            decisions: number | components["schemas"]["Bounds"];
        };
        Ruled: {
            command: string;
            by?: string;
            at?: string | null;
            note?: string | null;
            meta?: Record<string, never> | null;
            /** @enum {unknown} */
            outcome: "back-up" | "fix" | "leave";
            designation?: components["schemas"]["Designation"] | null;
            to?: number | null;
            says?: string | null;
            carry_out?: boolean;
        };
        Ruling: {
            event: number;
            by: string;
            at: string | null;
            /** @enum {unknown} */
            outcome: "back-up" | "fix" | "leave";
            designation: components["schemas"]["Designation"] | null;
            to: number | null;
            says: string | null;
            stands: components["schemas"]["Designation"] | null;
            possible: components["schemas"]["Designation"][];
            agrees: boolean | null;
            carried_out: number | null;
        };
        Shown: {
            key: string;
        };
        Source: {
            rank: number;
            kind: string;
            source: string;
            date: string | null;
            says: string;
            agrees: boolean;
        };
        Standing: {
            event: number;
            sentence: string;
        };
        State: {
            game: string;
            event: number;
            turn: number;
            active: string[];
            step: string | null;
            designation: components["schemas"]["Designation"] | null;
            possible: components["schemas"]["Designation"][];
            tallies: components["schemas"]["Tallies"];
            battlefield: components["schemas"]["PermanentState"][];
            policy?: components["schemas"]["Policy"];
            /** @enum {unknown} */
            version?: 1;
            changes: components["schemas"]["Change"][];
            triggers: components["schemas"]["Trigger"][];
        };
        StateNow: {
            game: string;
            event: number;
            turn: number;
            active: string[];
            step: string | null;
            designation: components["schemas"]["Designation"] | null;
            possible: components["schemas"]["Designation"][];
            tallies: components["schemas"]["Tallies"];
            battlefield: components["schemas"]["PermanentState"][];
            policy?: components["schemas"]["Policy"];
        };
        Stops: {
            event: number;
            sentence: string;
        };
        StoredGame: {
            id: string;
            game: string;
            events: number;
            code: string | null;
            repeated: boolean;
        };
        Tallies: {
            previous: components["schemas"]["Tally"] | null;
            current: components["schemas"]["Tally"];
        };
        Tally: {
            active: string[];
            spells: {
                [key: string]: number | components["schemas"]["Bounds"];
            };
        };
        Then: {
            event: number;
            sentences: string[];
        };
        Told: {
            event: number;
            sentence: string;
        };
        TournamentPolicy: {
            rule: null;
            sentence: string;
        };
        Transformed: {
            /** @enum {unknown} */
            type: "transformed";
            event: number;
            rule: string;
            cr: string | null;
            because: number[];
            /** @enum {unknown} */
            certain?: false;
            /** @enum {unknown} */
            implied?: true;
            permanents: string[];
            face: components["schemas"]["Face"];
        };
        Tried: {
            edits: components["schemas"]["AskedEdit"][];
            keep?: string;
        };
        TriedAudit: {
            /** @enum {unknown} */
            version?: 1;
            record: string;
            game: string;
            events: number;
            /** @enum {unknown} */
            verdict: "disputed" | "exact" | "unverified";
            findings: components["schemas"]["Finding"][];
            unsettled: components["schemas"]["Finding"][];
            disputes: components["schemas"]["HeardDispute"][];
            doubts?: components["schemas"]["Doubts"];
            parted: number;
            impossible: components["schemas"]["LostEvent"][];
            stopped: components["schemas"]["LostEvent"] | null;
        };
        TriedMarks: {
            marks: components["schemas"]["Mark"][];
            next: string | null;
            events: number;
            parted: number;
            impossible: components["schemas"]["LostEvent"][];
            stopped: components["schemas"]["LostEvent"] | null;
        };
        TriedMoments: {
            game: string;
            from: number;
            to: number;
            before: components["schemas"]["StateNow"] | null;
            moments: components["schemas"]["Moment"][];
            events: number;
            parted: number;
            impossible: components["schemas"]["LostEvent"][];
            stopped: components["schemas"]["LostEvent"] | null;
        };
        TriedParts: {
            /** @enum {unknown} */
            version?: 1;
            event: number;
            parts: {
                [key: string]: {
                    [key: string]: components["schemas"]["PartState"];
                };
            };
            events: number;
            parted: number;
            impossible: components["schemas"]["LostEvent"][];
            stopped: components["schemas"]["LostEvent"] | null;
        };
        TriedPartsAudit: {
            /** @enum {unknown} */
            version?: 1;
            record: string;
            events: number;
            /** @enum {unknown} */
            verdict: "disputed" | "exact" | "unverified";
            findings: components["schemas"]["PartsFinding"][];
            unsettled: components["schemas"]["PartsFinding"][];
            parted: number;
            impossible: components["schemas"]["LostEvent"][];
            stopped: components["schemas"]["LostEvent"] | null;
        };
        TriedPartsMoments: {
            game: string;
            from: number;
            to: number;
            before: components["schemas"]["Parts"] | null;
            moments: components["schemas"]["PartsMoment"][];
            events: number;
            parted: number;
            impossible: components["schemas"]["LostEvent"][];
            stopped: components["schemas"]["LostEvent"] | null;
        };
        TriedState: {
            game: string;
            event: number;
            turn: number;
            active: string[];
            step: string | null;
            designation: components["schemas"]["Designation"] | null;
            possible: components["schemas"]["Designation"][];
            tallies: components["schemas"]["Tallies"];
            battlefield: components["schemas"]["PermanentState"][];
            policy?: components["schemas"]["Policy"];
            /** @enum {unknown} */
            version?: 1;
            changes: components["schemas"]["Change"][];
            triggers: components["schemas"]["Trigger"][];
            events: number;
            parted: number;
            impossible: components["schemas"]["LostEvent"][];
            stopped: components["schemas"]["LostEvent"] | null;
        };
        TriedWhy: {
            /** @enum {unknown} */
            version?: 1;
            event: number;
            designation: components["schemas"]["Designation"] | null;
            since: number | null;
            rule: string | null;
            cr: string | null;
            because: number[];
            sources: components["schemas"]["Source"][];
            almost: string | null;
            almost_edit: components["schemas"]["Almost"] | null;
            sentence: string;
            short: string;
            possible?: components["schemas"]["Designation"][];
            policy?: components["schemas"]["Policy"];
            possibilities?: components["schemas"]["Why"][];
            events: number;
            parted: number;
            impossible: components["schemas"]["LostEvent"][];
            stopped: components["schemas"]["LostEvent"] | null;
        };
        TriedWhyPart: {
            part: string;
            subject: string | null;
            value: unknown;
            since?: number | null;
            rule?: string | null;
            because?: number[];
            possible?: unknown[];
            /** @enum {unknown} */
            version?: 1;
            event: number;
            events: number;
            parted: number;
            impossible: components["schemas"]["LostEvent"][];
            stopped: components["schemas"]["LostEvent"] | null;
        };
        TriedWhyPermanent: {
            /** @enum {unknown} */
            version?: 1;
            event: number;
            permanent: string;
            card: string | null;
            face: components["schemas"]["Face"] | null;
            face_down: boolean;
            since: number | null;
            rule: string | null;
            cr: string | null;
            because: number[];
            sources: components["schemas"]["Source"][];
            almost: string | null;
            almost_edit: components["schemas"]["Almost"] | null;
            sentence: string;
            short: string;
            events: number;
            parted: number;
            impossible: components["schemas"]["LostEvent"][];
            stopped: components["schemas"]["LostEvent"] | null;
        };
        Trigger: {
            event: number;
            turn: number;
            permanent: string;
            was: components["schemas"]["Designation"] | null;
            became: components["schemas"]["Designation"] | null;
            rule: string;
            cr: string | null;
            because: number[];
            stacked: number | null;
            /** @enum {unknown} */
            certain?: false;
        };
        Triggered: {
            /** @enum {unknown} */
            type: "triggered";
            event: number;
            rule: string;
            cr: string | null;
            because: number[];
            /** @enum {unknown} */
            certain?: false;
            /** @enum {unknown} */
            implied?: true;
            turn: number;
            permanent: string;
            was: components["schemas"]["Designation"] | null;
            became: components["schemas"]["Designation"] | null;
            stacked?: number | null;
        };
        TurnRow: {
            turn: number;
            active: string[];
            first: number;
            last: number;
            possible: components["schemas"]["Designation"][];
            spells: {
                [key: string]: number | components["schemas"]["Bounds"];
            };
            changes: components["schemas"]["Change"][];
        };
        Uncertain: {
            first: number;
            last: number;
            possible: components["schemas"]["Designation"][];
            unknowns: components["schemas"]["Unknowns"] | null;
            policy?: components["schemas"]["Policy"];
        };
        Undoable: {
            command: string;
            by: string;
            first: number;
            last: number;
            sentence: string;
        };
        Undone: {
            command: string;
            seen: number;
            head?: string;
            undoes?: string;
        };
        UndoneStretch: {
            first: number;
            last: number;
            by: number;
        };
        Unknown: {
            event: number;
            sentence: string;
            matters: boolean;
            facts: components["schemas"]["Fact"][];
        };
        Unknowns: {
            /** @enum {unknown} */
            version?: 1;
            event: number;
            possible: components["schemas"]["Designation"][];
            unknown: components["schemas"]["Unknown"][];
            states: components["schemas"]["Possibility"][];
            policy?: components["schemas"]["Policy"];
        };
        Walked: {
            edits: components["schemas"]["AskedEdit"][];
            leave_out?: boolean;
            at?: string | number;
            from?: string | number;
            limit?: number;
            after?: string;
            kind?: string;
            edition?: string;
            permanent?: string;
            part?: string;
            subject?: string;
        };
        Wanted: {
            game: string;
            /** @enum {unknown} */
            role: "judge" | "player" | "spectator";
            name?: string | null;
            hours?: number | null;
            rules?: boolean;
        };
        WhatIf: {
            /** @enum {unknown} */
            version?: 1;
            branch: string;
            game: string;
            parted: number;
            events: number;
            put_in: number[];
            left_out: components["schemas"]["LostEvent"][];
            dropped: number[];
            stopped: components["schemas"]["LostEvent"] | null;
            /** @enum {unknown} */
            compared: "events" | "turns";
            differences: components["schemas"]["Parting"][];
            audits: components["schemas"]["BothAudits"];
        };
        Why: {
            /** @enum {unknown} */
            version?: 1;
            event: number;
            designation: components["schemas"]["Designation"] | null;
            since: number | null;
            rule: string | null;
            cr: string | null;
            because: number[];
            sources: components["schemas"]["Source"][];
            almost: string | null;
            almost_edit: components["schemas"]["Almost"] | null;
            sentence: string;
            short: string;
            possible?: components["schemas"]["Designation"][];
            policy?: components["schemas"]["Policy"];
            possibilities?: components["schemas"]["Why"][];
        };
        WhyPart: {
            part: string;
            subject: string | null;
            value: unknown;
            since?: number | null;
            rule?: string | null;
            because?: number[];
            possible?: unknown[];
            /** @enum {unknown} */
            version?: 1;
            event: number;
        };
        WhyPermanent: {
            /** @enum {unknown} */
            version?: 1;
            event: number;
            permanent: string;
            card: string | null;
            face: components["schemas"]["Face"] | null;
            face_down: boolean;
            since: number | null;
            rule: string | null;
            cr: string | null;
            because: number[];
            sources: components["schemas"]["Source"][];
            almost: string | null;
            almost_edit: components["schemas"]["Almost"] | null;
            sentence: string;
            short: string;
        };
        You: {
            /** @enum {unknown} */
            role: "judge" | "owner" | "player" | "reader" | "spectator";
            name: string | null;
            /** @enum {unknown} */
            rules?: true;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export type operations = Record<string, never>;
